import { useEffect, useState } from "react"
import { isolated, say } from "../words.ts"
import { loadAccount, logOut } from "./api.ts"
import { Trouble, useSending } from "./form.tsx"
import { Frame, PageLink } from "./frame.tsx"
import { withNext } from "./next.ts"

/** Somebody is logged in, and the document is for somebody else; or there is none, which is told to nobody. */
export function Wrong() {
  const [email, setEmail] = useState<string | null>(null)
  const sending = useSending()
  useEffect(
    () =>
      void loadAccount().then(
        (account) => setEmail(account.email),
        () => location.assign(withNext("login", location.search)),
      ),
    [],
  )
  if (email === null) return null
  return (
    <Frame
      heading={say("wrong.heading")}
      lead={say("wrong.lead", { email: isolated(email) })}
      below={<PageLink to="/account/security">{say("wrong.account")}</PageLink>}
    >
      <p className="mt-3">{say("wrong.what")}</p>
      <div className="mt-5 grid gap-4">
        <Trouble said={sending.trouble} />
        <button
          type="button"
          className="button button-main w-full"
          aria-disabled={sending.busy}
          onClick={() =>
            sending.send(async () => {
              await logOut()
              location.assign(withNext("login", location.search))
            })
          }
        >
          {say("wrong.other")}
        </button>
      </div>
    </Frame>
  )
}
