import { useEffect, useState } from "react"
import { say } from "../words.ts"
import { giveSecond, knowsPasskeys, logIn, logInByPasskey, type Next } from "./api.ts"
import { Field, Form, PasswordField, Submit, useSending } from "./form.tsx"
import { Frame, PageLink } from "./frame.tsx"
import { nextPath, withNext } from "./next.ts"

/** A password, or a passkey that the browser offers beside the field of the address. */
export function Login() {
  const [step, setStep] = useState<string | null>(null)
  const sending = useSending()
  useEffect(
    () =>
      void logInByPasskey("offered").then(
        (next) => next && goOn(next),
        () => undefined,
      ),
    [],
  )
  const go = (next: Next | null) => {
    if (next?.next === "second-factor") setStep(next.step)
    else if (next !== null) goOn(next)
  }
  if (step !== null) return <SecondFactor step={step} />
  return (
    <Frame
      heading={say("login.heading")}
      {...(isForDocument() && { lead: say("login.for-document") })}
      below={
        <>
          <PageLink to={withNext("register", location.search)}>{say("login.register")}</PageLink>
          <PageLink to={withNext("recover", location.search)}>{say("login.forgot")}</PageLink>
        </>
      }
    >
      <Form {...sending} onSubmit={async ({ email = "", password = "" }) => go(await logIn(email, password))}>
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="off"
          maxLength={254}
        />
        <PasswordField label={say("password")} />
        <Submit busy={sending.busy}>{say("login.submit")}</Submit>
        {knowsPasskeys() && (
          <>
            <p className="divider">{say("or")}</p>
            <button
              type="button"
              className="button button-quiet w-full"
              onClick={() => sending.send(async () => go(await logInByPasskey("asked")))}
            >
              {say("login.passkey")}
            </button>
          </>
        )}
      </Form>
    </Frame>
  )
}

function SecondFactor({ step }: { readonly step: string }) {
  const sending = useSending(({ key }) => {
    if (key === "error.account.login_again") return say("trouble.restart")
    return key === "error.code.wrong" ? say("trouble.second") : null
  })
  return (
    <Frame
      heading={say("second.heading")}
      lead={say("second.lead")}
      below={<PageLink to={withNext("login", location.search)}>{say("recover.login")}</PageLink>}
    >
      <Form {...sending} onSubmit={async ({ code = "" }) => goOn(await giveSecond(step, code.trim()))}>
        <SecondField />
        <Submit busy={sending.busy}>{say("login.submit")}</Submit>
      </Form>
    </Frame>
  )
}

/** Letters too: it may be one of the codes that were written down. */
export function SecondField({ name = "code" }: { readonly name?: string }) {
  return (
    <Field
      label={say("second.code")}
      hint={say("second.hint")}
      name={name}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      minLength={6}
      maxLength={40}
    />
  )
}

export const isForDocument = (): boolean => nextPath(location.search).startsWith("/view/")

export function goOn(_: Next): void {
  location.assign(nextPath(location.search))
}
