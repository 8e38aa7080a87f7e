import { type FormEvent, type KeyboardEvent, useRef, useState } from "react"
import { sign, type View } from "../api.ts"
import { words } from "../words.ts"
import { closeSheetAround, Sheet } from "./sheet.tsx"
import { usePress } from "./use-press.ts"

type ConfirmSheetProps = {
  readonly view: View
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
  readonly onClose: () => void
}

const NAME_MAX = 200

export function ConfirmSheet({ view, onView, onNoSession, onClose }: ConfirmSheetProps) {
  const [name, setName] = useState(view.signer.name ?? "")
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, trouble, send } = usePress(onView, onNoSession)

  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = name.trim()
    setMissing(typed === "")
    if (typed === "") field.current?.focus()
    else send(() => sign(typed, view))
  }

  return (
    <Sheet heading={words.confirm.heading} locked={busy} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <label htmlFor="name" className="block font-semibold">
          {words.confirm.name}
        </label>
        <p id="name-hint" className="text-sm text-(--muted)">
          {words.confirm.nameHint}
        </p>
        <input
          id="name"
          ref={field}
          className="field mt-2"
          value={name}
          maxLength={NAME_MAX}
          autoComplete="name"
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="done"
          required
          aria-invalid={missing}
          aria-describedby={missing ? "name-hint name-missing" : "name-hint"}
          onChange={(event) => {
            setName(event.target.value)
            setMissing(false)
          }}
          onKeyDown={toSignButton}
        />
        <p id="name-missing" role="alert" className="mt-1 font-semibold text-(--danger)">
          {missing && words.confirm.nameMissing}
        </p>
        <p className="mt-5 whitespace-pre-line">{view.consent.text}</p>
        <p role="alert" className="mt-3 font-semibold text-(--danger)">
          {trouble}
        </p>
        <div className="mt-5 grid gap-3 sm:grid-cols-2">
          <button type="submit" className="button button-main sm:order-2" aria-disabled={busy}>
            {busy ? words.confirm.signing : words.confirm.sign}
          </button>
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={(event) => !busy && closeSheetAround(event.currentTarget)}
          >
            {words.confirm.back}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** Between the name and the signature stands the consent: Enter leads to the button, it does not press it. */
function toSignButton(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== "Enter") return
  event.preventDefault()
  event.currentTarget.form?.querySelector<HTMLButtonElement>("button[type=submit]")?.focus()
}
