import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { ShieldCheck } from "lucide-react"
import { hasKey, overview } from "../../api/operator.ts"
import { Loading, Nothing } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { Tabs } from "../../parts/tabs.tsx"
import { useSession } from "../../session/session.tsx"

/** For those who run the service: how it is, who uses it, and what was done. Nothing here shows what documents say. */
export function Operator() {
  const { i18n } = useLingui()
  const { account } = useSession()
  const first = useQuery({ ...overview, enabled: account.operator })
  if (!account.operator)
    return (
      <>
        <ScreenTitle title={i18n._("Operator")} />
        <Nothing title={i18n._("This is for those who run the service")}>
          {i18n._("You are not one of them.")}
        </Nothing>
      </>
    )
  const isLocked = hasKey(first.error, "error.account.second_factor_needed")
  return (
    <>
      <ScreenTitle title={i18n._("Operator")} />
      {first.isPending && <Loading />}
      {isLocked && <SecondFactorFirst />}
      {!first.isPending && !isLocked && (
        <>
          <Tabs
            label={i18n._("Operator")}
            tabs={[
              ["/operator/overview", i18n._("Overview")],
              ["/operator/businesses", i18n._("Businesses")],
              ["/operator/mails", i18n._("Mail log")],
              ["/operator/jobs", i18n._("Failed jobs")],
              ["/operator/audit", i18n._("Audit log")],
            ]}
          />
          <Outlet />
        </>
      )}
    </>
  )
}

function SecondFactorFirst() {
  const { i18n } = useLingui()
  return (
    <Nothing title={i18n._("Please sign in with a second factor")}>
      <ShieldCheck aria-hidden="true" size={44} strokeWidth={1.25} className="mx-auto mb-4 text-(--accent)" />
      <p className="mb-5">
        {i18n._(
          "This area opens to operators who signed in with a passkey, or with a password and a code of their authenticator app.",
        )}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href="/account/login?next=%2Fconsole%2Foperator" className="button button-main">
          {i18n._("Sign in again")}
        </a>
        <a href="/account/security" className="button button-quiet">
          {i18n._("Set up a second factor")}
        </a>
      </div>
    </Nothing>
  )
}
