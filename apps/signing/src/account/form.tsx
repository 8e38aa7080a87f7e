import { type ComponentProps, type ReactNode, useId, useRef, useState } from "react"
import { Problem } from "../api.ts"
import { say } from "../words.ts"

export type Sending = {
  readonly busy: boolean
  /** What went wrong, in words; null while nothing has. */
  readonly trouble: string | null
  readonly send: (act: () => Promise<void>) => void
}

/** One press at a time; what goes wrong is said beside it. */
export function useSending(told: (problem: Problem) => string | null = () => null): Sending {
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function run(act: () => Promise<void>) {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setTrouble(null)
    try {
      await act()
    } catch (error) {
      setTrouble(error instanceof Problem ? (told(error) ?? inWords(error)) : wordsOfBrowser(error))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  return { busy, trouble, send: (act) => void run(act) }
}

const WORDS: Readonly<Record<string, string>> = {
  "error.auth.credentials_invalid": "trouble.credentials",
  "error.code.wrong": "trouble.code",
  "error.account.password_weak": "trouble.weak",
  "error.name.invalid": "trouble.name",
  "error.account.login_again": "trouble.again",
  "error.account.own_login_needed": "trouble.own-login",
  "error.account.single_sign_on_needed": "trouble.sso-needed",
  "error.account.single_sign_on_failed": "trouble.sso-failed",
  "error.rate_limit.exceeded": "trouble.often",
}

function inWords({ status, key }: Problem): string {
  if (status === 0) return say("trouble.unreachable")
  return say(WORDS[key] ?? (status === 429 ? "trouble.often" : "trouble.refused"))
}

/** A person who closes the browser's own window has changed their mind, which is no failure. */
const wordsOfBrowser = (error: unknown): string =>
  say(
    error instanceof Error && error.name === "InvalidStateError"
      ? "trouble.passkey-known"
      : "trouble.passkey",
  )

type FormProps = Sending & {
  readonly onSubmit: (fields: Readonly<Record<string, string>>) => Promise<void>
  readonly children: ReactNode
}

/** Fields by their names, so that the browser and its password manager fill them as they like. */
export function Form({ onSubmit, send, trouble, children }: FormProps) {
  return (
    <form
      className="mt-5 grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const given = Array.from(new FormData(event.currentTarget), ([name, value]) => [name, String(value)])
        send(() => onSubmit(Object.fromEntries(given)))
      }}
    >
      <Trouble said={trouble} />
      {children}
    </form>
  )
}

export function Trouble({ said }: { readonly said: string | null }) {
  return <div role="alert">{said !== null && <p className="notice">{said}</p>}</div>
}

type FieldProps = ComponentProps<"input"> & { readonly label: string; readonly hint?: string }

export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <input
        id={id}
        className="field"
        required
        {...(hint && { "aria-describedby": `${id}-hint` })}
        {...input}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-(--muted)">
          {hint}
        </p>
      )}
    </div>
  )
}

type CodeFieldProps = { readonly label: string; readonly hint?: string; readonly from: "mail" | "app" }

/** Eight digits from a mail or six of an app, with whatever spaces; phones offer them by themselves. */
export function CodeField({ label, hint, from }: CodeFieldProps) {
  return (
    <Field
      label={label}
      {...(hint && { hint })}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={from === "mail" ? "\\s*(\\d\\s*){8}" : "\\s*(\\d\\s*){6}"}
      maxLength={16}
      title={say(from === "mail" ? "code.form" : "totp.form")}
    />
  )
}

export function PasswordField({
  label,
  name = "password",
  isNew = false,
}: {
  readonly label: string
  readonly name?: string
  readonly isNew?: boolean
}) {
  const [seen, setSeen] = useState(false)
  return (
    <div>
      <Field
        label={label}
        name={name}
        type={seen ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        autoCapitalize="off"
        spellCheck={false}
        maxLength={256}
        {...(isNew && { minLength: 12, hint: say("password.hint") })}
      />
      <label className="mt-1 inline-flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-(--accent)"
          checked={seen}
          onChange={(event) => setSeen(event.target.checked)}
        />
        {say("password.show")}
      </label>
    </div>
  )
}

type SubmitProps = {
  readonly busy: boolean
  readonly children: ReactNode
  /** Where another button of the same form comes first. */
  readonly isQuiet?: boolean
}

export function Submit({ busy, children, isQuiet = false }: SubmitProps) {
  const look = isQuiet ? "button-quiet" : "button-main"
  return (
    <button type="submit" className={`button ${look} w-full`} aria-disabled={busy}>
      {busy ? say("one-moment") : children}
    </button>
  )
}

export const digits = (code: string | undefined): string => (code ?? "").replace(/\s/g, "")
