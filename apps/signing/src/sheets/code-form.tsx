import { type FormEvent, useEffect, useRef, useState } from "react"
import { say } from "../words.ts"

/** Six digits that were sent to somebody, and the way to have them sent once more. */
type CodeFormProps = {
  /** What is said where digits are missing. */
  readonly missing: string
  readonly busy: boolean
  readonly trouble: string | null
  readonly onCode: (code: string) => void
}

export function CodeForm({ missing, busy, trouble, onCode }: CodeFormProps) {
  const [code, setCode] = useState("")
  const [isShort, setShort] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  function submit(event: FormEvent) {
    event.preventDefault()
    const digits = code.replace(/\D/g, "")
    setShort(digits.length !== 6)
    field.current?.focus()
    if (digits.length === 6) onCode(digits)
  }
  return (
    <form onSubmit={submit} noValidate className="mt-4">
      <label htmlFor="code" className="block font-semibold">
        {say("code.label")}
      </label>
      <input
        id="code"
        ref={field}
        className="field code mt-2"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        aria-invalid={isShort || trouble !== null}
        aria-describedby="code-trouble"
        onChange={(event) => setCode(event.target.value)}
      />
      <p id="code-trouble" role="alert" className="mt-1 font-semibold text-(--danger)">
        {isShort ? missing : trouble}
      </p>
      <button type="submit" className="button button-main mt-4 w-full" aria-disabled={busy}>
        {busy ? say("one-moment") : say("code.check")}
      </button>
    </form>
  )
}

type ResendProps = {
  readonly resendAt: string | null
  readonly busy: boolean
  readonly onResend: () => void
}

export function Resend({ resendAt, busy, onResend }: ResendProps) {
  const seconds = useSecondsUntil(resendAt)
  const waits = seconds > 0
  return (
    <button
      type="button"
      className="button button-quiet sm:order-2"
      aria-disabled={waits || busy}
      onClick={() => !waits && !busy && onResend()}
    >
      {waits ? say("code.resend-in", { seconds }) : say("code.resend")}
    </button>
  )
}

function useSecondsUntil(time: string | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return time === null ? 0 : Math.max(0, Math.ceil((Date.parse(time) - now) / 1_000))
}
