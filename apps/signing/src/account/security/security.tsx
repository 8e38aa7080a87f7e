import { useCallback, useEffect, useState } from "react"
import { Problem } from "../../api.ts"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { say } from "../../words.ts"
import { type Account, loadAccount } from "../api.ts"
import { Trouble } from "../form.tsx"
import { Top } from "../frame.tsx"
import { leave } from "../leave.ts"
import { isForBusiness, isForDocument } from "../login.tsx"
import { nextPath } from "../next.ts"
import { Events } from "./events.tsx"
import { Passkeys } from "./passkeys.tsx"
import { Password } from "./password.tsx"
import { SecondFactor } from "./second-factor.tsx"
import { LOGIN, type SectionProps } from "./section.tsx"
import { Sessions } from "./sessions.tsx"

/** What opens the account, who is logged in, and what happened. */
export function Security() {
  const [account, setAccount] = useState<Account | "trouble" | null>(null)
  const load = useCallback(
    () =>
      loadAccount().then(setAccount, (error: unknown) => {
        if (error instanceof Problem && error.status === 401) location.replace(LOGIN)
        else setAccount("trouble")
      }),
    [],
  )
  useEffect(() => void load(), [load])
  return (
    <>
      <Top width="max-w-2xl" />
      <main className="mx-auto max-w-2xl px-4 pt-2 pb-12">
        {account === null && <p role="status">{say("one-moment")}</p>}
        {account === "trouble" && <Trouble said={say("trouble.unreachable")} />}
        {account !== null && account !== "trouble" && (
          <Sheet account={account} onChange={() => void load()} />
        )}
      </main>
    </>
  )
}

/** A password opens the account, and signs nothing. */
function ForDocument({ account: { factors } }: Pick<SectionProps, "account">) {
  const isReady = factors.passkeys > 0 || factors.totp
  return (
    <div className="summary-card mt-4">
      <p role="status">{say(isReady ? "factor.ready" : "factor.needed")}</p>
      <a
        className={`button ${isReady ? "button-main" : "button-quiet"} mt-3 w-full`}
        href={nextPath(location.search)}
      >
        {say("factor.back")}
      </a>
    </div>
  )
}

/** The factor counts from the next login on, which proves that the person has it. */
function ForBusiness({ account: { factors } }: Pick<SectionProps, "account">) {
  const isReady = factors.passkeys > 0 || factors.totp
  const login = `/account/login?next=${encodeURIComponent(nextPath(location.search))}`
  return (
    <div className="summary-card mt-4">
      <p role="status">{say(isReady ? "factor.business-ready" : "factor.business-needed")}</p>
      {isReady && (
        <a className="button button-main mt-3 w-full" href={login}>
          {say("security.again")}
        </a>
      )}
    </div>
  )
}

function Sheet({ account, onChange }: SectionProps) {
  return (
    <div className="card">
      <ScreenTitle windowTitle={say("security.heading")}>{say("security.heading")}</ScreenTitle>
      {isForDocument() && <ForDocument account={account} />}
      {isForBusiness() && <ForBusiness account={account} />}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <p>
          {/* Who came by single sign-on has not said what they are called. */}
          {account.name !== account.email && (
            <span className="block font-semibold" dir="auto">
              {account.name}
            </span>
          )}
          <span className="block text-(--muted)">{account.email}</span>
        </p>
        <button type="button" className="button button-quiet" onClick={() => void leave("/account/login")}>
          {say("logout")}
        </button>
      </div>
      <Password account={account} onChange={onChange} />
      <Passkeys account={account} onChange={onChange} />
      <SecondFactor account={account} onChange={onChange} />
      <Sessions account={account} />
      <Events />
    </div>
  )
}
