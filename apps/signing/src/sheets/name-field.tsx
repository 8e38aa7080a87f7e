import type { KeyboardEvent, RefObject } from "react"
import { say } from "../words.ts"

type NameFieldProps = {
  readonly name: string
  readonly missing: boolean
  /** The name of the account, of the evidence, or the one that the sender gave: it is taken as it is. */
  readonly fixed: boolean
  readonly hint: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly onName: (name: string) => void
}

const NAME_MAX = 200

/** The name is typed once, for the handwriting and for the signature itself. */
export function NameField({ name, missing, fixed, hint, field, onName }: NameFieldProps) {
  return (
    <>
      <label htmlFor="name" className="block font-semibold">
        {say("confirm.name")}
      </label>
      <p id="name-hint" className="text-sm text-(--muted)">
        {say(hint)}
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
        readOnly={fixed}
        aria-invalid={missing}
        aria-describedby={missing ? "name-hint name-missing" : "name-hint"}
        onChange={(event) => onName(event.target.value)}
        onKeyDown={toSubmitButton}
      />
      <p id="name-missing" role="alert" className="mt-1 font-semibold text-(--danger)">
        {missing && say("confirm.name-missing")}
      </p>
    </>
  )
}

/** Between the name and the signature stands the consent: Enter leads to the button, it does not press it. */
function toSubmitButton(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== "Enter") return
  event.preventDefault()
  event.currentTarget.form?.querySelector<HTMLButtonElement>("button[type=submit]")?.focus()
}
