import { useEffect, useState } from "react"
import { isolated, say } from "../words.ts"
import { type Account, loadAccount } from "./api.ts"
import { Frame, PageLink } from "./frame.tsx"
import { leave } from "./leave.ts"
import { withNext } from "./next.ts"

/**
 * The person is logged in, and this login does not open the document. Which of the reasons it is depends on the login alone, so that
 * the page is the same where the document does not exist.
 */
export function Wrong() {
  const [account, setAccount] = useState<Account | null>(null)
  useEffect(
    () => void loadAccount().then(setAccount, () => location.assign(withNext("login", location.search))),
    [],
  )
  if (account === null) return null
  const { email, singleSignOn } = account
  return (
    <Frame
      heading={singleSignOn ? say("wrong.sso.heading") : say("wrong.heading")}
      lead={
        singleSignOn
          ? say("wrong.sso.lead", { email: isolated(email) })
          : say("wrong.lead", { email: isolated(email) })
      }
      below={<PageLink to="/account/security">{say("wrong.account")}</PageLink>}
    >
      <p className="mt-3">{singleSignOn ? say("wrong.sso.what") : say("wrong.what")}</p>
      <div className="mt-5 grid gap-4">
        <button
          type="button"
          className="button button-main w-full"
          onClick={() => void leave(withNext("login", location.search))}
        >
          {say("wrong.other")}
        </button>
      </div>
    </Frame>
  )
}
