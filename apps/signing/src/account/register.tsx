import { useState } from "react"
import { say } from "../words.ts"
import { addPasskey, askForCode, knowsPasskeys, register } from "./api.ts"
import { CodeField, digits, Field, Form, PasswordField, Submit, useSending } from "./form.tsx"
import { Frame, PageLink } from "./frame.tsx"
import { goOn, isForDocument } from "./login.tsx"
import { isForFactor, nextPath, withNext } from "./next.ts"
import { RecoveryCodes } from "./security/recovery-codes.tsx"

/** The address first: whoever has its mailbox goes on. */
export function Register() {
  const [email, setEmail] = useState<string | null>(null)
  const sending = useSending()
  if (email !== null) return <Person email={email} onOther={() => setEmail(null)} />
  return (
    <Frame
      heading={say("register.heading")}
      lead={say(leadOf())}
      below={<PageLink to={withNext("login", location.search)}>{say("register.login")}</PageLink>}
    >
      <Form
        {...sending}
        onSubmit={async ({ email: given = "" }) => {
          await askForCode("register", given)
          setEmail(given)
        }}
      >
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="off"
          maxLength={254}
        />
        <Submit busy={sending.busy}>{say("code.send")}</Submit>
      </Form>
    </Frame>
  )
}

function leadOf() {
  if (isForFactor(location.search)) return "register.for-factor"
  return isForDocument() ? "register.for-document" : "register.lead"
}

type PersonProps = { readonly email: string; readonly onOther: () => void }

function Person({ email, onOther }: PersonProps) {
  const forFactor = isForFactor(location.search)
  const [way, setWay] = useState<"password" | "passkey">(
    forFactor && knowsPasskeys() ? "passkey" : "password",
  )
  const [codes, setCodes] = useState<readonly string[]>([])
  const sending = useSending()
  async function finish({ code, name = "", password = "" }: Readonly<Record<string, string>>) {
    const person = { email, code: digits(code), name }
    if (way === "password") return goOn(await register({ ...person, password }))
    await register(person)
    // Who gives up here is logged in all the same, and can do it on the next page.
    await addPasskey("").then(setCodes, () => location.assign(withNext("security", location.search)))
  }
  if (codes.length > 0)
    return (
      <Frame heading={say("totp.codes-heading")}>
        <RecoveryCodes codes={codes} hasHeading={false} />
        <a className="button button-main mt-5 w-full" href={nextPath(location.search)}>
          {say("codes.go-on")}
        </a>
      </Frame>
    )
  return (
    <Frame
      heading={say("register.person")}
      lead={say("code.sent", { email })}
      below={<Again purpose="register" email={email} onOther={onOther} />}
    >
      <Form {...sending} onSubmit={finish}>
        <CodeField from="mail" label={say("code")} hint={say("code.hint")} />
        <Field label={say("name")} hint={say("name.hint")} name="name" autoComplete="name" maxLength={200} />
        <input type="hidden" name="username" autoComplete="username" value={email} />
        {way === "password" ? <PasswordField label={say("password.choose")} isNew /> : null}
        <Submit busy={sending.busy}>
          {say(way === "password" ? "register.submit" : "register.submit-passkey")}
        </Submit>
        {knowsPasskeys() && (
          <button
            type="button"
            className="button button-quiet w-full"
            onClick={() => setWay(way === "password" ? "passkey" : "password")}
          >
            {say(way === "password" ? "register.passkey" : "register.password")}
          </button>
        )}
      </Form>
    </Frame>
  )
}

type AgainProps = PersonProps & { readonly purpose: "register" | "recover" }

/** A mail may be slow, or the address have a typing error in it. */
export function Again({ purpose, email, onOther }: AgainProps) {
  const [isSent, setSent] = useState(false)
  const sending = useSending()
  return (
    <>
      <button
        type="button"
        className="link min-h-11 cursor-pointer"
        onClick={() =>
          sending.send(async () => {
            await askForCode(purpose, email)
            setSent(true)
          })
        }
      >
        {say("code.again")}
      </button>
      <button type="button" className="link min-h-11 cursor-pointer" onClick={onOther}>
        {say("code.other")}
      </button>
      <p role="status" className="w-full">
        {sending.trouble ?? (isSent ? say("code.sent-again") : "")}
      </p>
    </>
  )
}
