import { useEffect, useState } from "react"
import { isolated, say } from "../words.ts"
import { giveSecond, knowsPasskeys, logIn, logInByPasskey, type Next } from "./api.ts"
import { Field, Form, PasswordField, type Sending, Submit, useSending } from "./form.tsx"
import { Frame, PageLink } from "./frame.tsx"
import { isForFactor, nextPath, withNext } from "./next.ts"
import { ByBusiness, goToProvider, stepFrom, troubleOnTheWay, useSingleSignOn } from "./single-sign-on.tsx"

/** A password, a passkey that the browser offers beside the field of the address, or the sign-in of the person's business. */
export function Login() {
  const [step, setStep] = useState(() => stepFrom(location.hash))
  const [email, setEmail] = useState("")
  const business = useSingleSignOn(email)
  const sending = useSending()
  useEffect(() => {
    // What stands behind the `#` is not to stay in the history.
    if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search)
  }, [])
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
      <Form
        {...sending}
        trouble={sending.trouble ?? troubleOnTheWay(location.search)}
        onSubmit={async ({ email = "", password = "" }) =>
          business?.enforced ? goToProvider(email) : go(await logIn(email, password))
        }
      >
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="off"
          maxLength={254}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <p role="status" className={business === null ? "sr-only" : ""}>
          {business !== null && say("login.sso-found", { business: isolated(business.business) })}
        </p>
        {business !== null && <ByBusiness by={business} email={email} sending={sending} />}
        {business?.enforced !== true && <WithPassword {...{ sending, go }} isSecond={business !== null} />}
      </Form>
    </Frame>
  )
}

type WithPasswordProps = {
  readonly sending: Sending
  readonly go: (next: Next | null) => void
  /** Whether the business's own sign-in stands above it. */
  readonly isSecond: boolean
}

function WithPassword({ sending, go, isSecond }: WithPasswordProps) {
  return (
    <>
      {isSecond && <p className="divider">{say("or")}</p>}
      <PasswordField label={say("password")} />
      <Submit busy={sending.busy} isQuiet={isSecond}>
        {say("login.submit")}
      </Submit>
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
    </>
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
export function SecondField({ name = "code" }: { readonly name?: "code" | "second" }) {
  return (
    <Field
      label={say(name === "second" ? "recover.second" : "second.code")}
      hint={say(name === "second" ? "recover.second-hint" : "second.hint")}
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

/** The business that the console was opened for asks for a second factor. */
export const isForBusiness = (): boolean =>
  isForFactor(location.search) && nextPath(location.search).startsWith("/console/")

/** Who came for a factor makes one before going on. */
export function goOn(_: Next): void {
  const { search } = location
  location.assign(isForFactor(search) ? withNext("security", search) : nextPath(search))
}
