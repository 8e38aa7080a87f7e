import { useState } from "react"
import { Problem } from "../api.ts"
import { say } from "../words.ts"
import { askForCode, recover } from "./api.ts"
import { CodeField, digits, Field, Form, PasswordField, Submit, useSending } from "./form.tsx"
import { Frame, PageLink } from "./frame.tsx"
import { goOn, SecondField } from "./login.tsx"
import { withNext } from "./next.ts"
import { Again } from "./register.tsx"

export function Recover() {
  const [email, setEmail] = useState<string | null>(null)
  const sending = useSending()
  if (email !== null) return <NewPassword email={email} onOther={() => setEmail(null)} />
  return (
    <Frame
      heading={say("recover.heading")}
      lead={say("recover.lead")}
      below={<PageLink to={withNext("login", location.search)}>{say("recover.login")}</PageLink>}
    >
      <Form
        {...sending}
        onSubmit={async ({ email: given = "" }) => {
          await askForCode("recover", given)
          setEmail(given)
        }}
      >
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="off"
          maxLength={254}
        />
        <Submit busy={sending.busy}>{say("code.send")}</Submit>
      </Form>
    </Frame>
  )
}

type NewPasswordProps = { readonly email: string; readonly onOther: () => void }

function NewPassword({ email, onOther }: NewPasswordProps) {
  const [asksSecond, setAsksSecond] = useState(false)
  const sending = useSending()
  async function finish({ code, password = "", second }: Readonly<Record<string, string>>) {
    const given = { email, code: digits(code), password }
    try {
      goOn(await recover(second === undefined ? given : { ...given, second: second.trim() }))
    } catch (error) {
      if (!(error instanceof Problem) || error.key !== "error.account.second_factor_needed") throw error
      setAsksSecond(true)
    }
  }
  return (
    <Frame
      heading={say("recover.new")}
      lead={say("recover.sent", { email })}
      below={<Again purpose="recover" email={email} onOther={onOther} />}
    >
      <Form {...sending} onSubmit={finish}>
        <CodeField from="mail" label={say("code")} hint={say("code.hint")} />
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField label={say("password.choose")} isNew />
        {asksSecond && (
          <div role="status">
            <SecondField name="second" />
          </div>
        )}
        <Submit busy={sending.busy}>{say("recover.submit")}</Submit>
      </Form>
    </Frame>
  )
}
