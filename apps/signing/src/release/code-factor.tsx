import { type FormEvent, useRef, useState } from "react"
import { type Problem, releaseByCode } from "../api.ts"
import { usePress } from "../parts/use-press.ts"
import { say } from "../words.ts"
import type { FactorProps } from "./passkey-factor.tsx"

/** Six digits of the authenticator app. Sent by Enter or the button, not by the sixth digit. */
export function CodeFactor({
  release,
  alone,
  onView,
  onNoSession,
}: FactorProps & { readonly alone: boolean }) {
  const [code, setCode] = useState("")
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, trouble, send } = usePress(onView, onNoSession, told)
  function submit(event: FormEvent) {
    event.preventDefault()
    const digits = code.replace(/\D/g, "")
    setMissing(digits.length !== 6)
    field.current?.focus()
    if (digits.length === 6) send(() => releaseByCode(digits, release))
  }
  return (
    <form onSubmit={submit} noValidate>
      <label htmlFor="code" className="block font-semibold">
        {say("release.code")}
      </label>
      <input
        id="code"
        ref={field}
        className="field code mt-2"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        aria-invalid={missing || trouble !== null}
        aria-describedby="code-trouble"
        onChange={(event) => setCode(event.target.value)}
      />
      <p id="code-trouble" role="alert" className="mt-1 font-semibold text-(--danger) empty:hidden">
        {missing ? say("release.code-missing") : trouble}
      </p>
      <button
        type="submit"
        className={`button ${alone ? "button-main" : "button-quiet"} mt-4 w-full`}
        aria-disabled={busy}
      >
        {say(busy ? "one-moment" : "release.confirm")}
      </button>
    </form>
  )
}

function told({ key, status }: Problem): string {
  if (key === "error.signature.release_over") return say("release.over")
  return say(status === 429 ? "release.code-locked" : "release.code-wrong")
}
