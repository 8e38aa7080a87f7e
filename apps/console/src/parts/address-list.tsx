import { useLingui } from "@lingui/react"
import { X } from "lucide-react"
import { type KeyboardEvent, useId, useRef, useState } from "react"
import { Button } from "./button.tsx"
import { isAddress } from "./signer-entry.ts"

type AddressListProps = {
  readonly label: string
  readonly hint?: string
  readonly addresses: readonly string[]
  readonly onChange: (addresses: readonly string[]) => void
  /** Whom one may well mean: offered while typing. */
  readonly suggestions?: readonly string[]
}

/** E-mail addresses, one after the other. Enter adds one and does not send the form. */
export function AddressList({ label, hint, addresses, onChange, suggestions = [] }: AddressListProps) {
  const { i18n } = useLingui()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState("")
  const address = typed.trim().toLowerCase()
  const add = () => {
    if (!isAddress(address)) return
    if (!addresses.includes(address)) onChange([...addresses, address])
    setTyped("")
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || typed === "") return
    event.preventDefault()
    add()
  }
  const remove = (gone: string) => {
    onChange(addresses.filter((each) => each !== gone))
    input.current?.focus()
  }
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      {hint && <p className="mb-1 text-sm text-(--muted)">{hint}</p>}
      <ul className="empty:hidden">
        {addresses.map((each) => (
          <li key={each} className="flex items-center justify-between gap-2">
            <span className="min-w-0">{each}</span>
            <Button
              look="icon"
              aria-label={i18n._("Remove {who}", { who: each })}
              onClick={() => remove(each)}
            >
              <X aria-hidden="true" size={18} />
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <input
          ref={input}
          type="email"
          list={`${id}-offered`}
          aria-label={`${label}: ${i18n._("E-mail address")}`}
          placeholder="ada@example.org"
          className="field min-w-0"
          autoComplete="off"
          maxLength={254}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={press}
        />
        <datalist id={`${id}-offered`}>
          {suggestions
            .filter((each) => !addresses.includes(each))
            .map((each) => (
              <option key={each} value={each} />
            ))}
        </datalist>
        <Button onClick={add}>{i18n._("Add")}</Button>
      </div>
    </fieldset>
  )
}
