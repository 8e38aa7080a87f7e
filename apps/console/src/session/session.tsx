import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { createContext, type ReactNode, use, useEffect, useMemo } from "react"
import { Button } from "../parts/button.tsx"
import { Loading, Nothing, Wrong } from "../parts/notice.tsx"
import { Wordmark } from "../parts/wordmark.tsx"
import { type Account, type Kind, type Membership, readAccount, setUpFactor, signOut } from "./account.ts"
import { Invitations } from "./invitations.tsx"
import { actFor } from "./tokens.ts"

export type Session = {
  readonly account: Account
  readonly membership: Membership
  readonly kind: Kind
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error("There is no session above.")
  return session
}

const KEPT = { business: "paraph.business", kind: "paraph.kind" } as const

/** Nothing of one business or kind may stay on the screen with another: the page begins anew. */
export function switchTo(businessId: string, kind: Kind): void {
  localStorage.setItem(KEPT.business, businessId)
  localStorage.setItem(KEPT.kind, kind)
  location.assign("/console/")
}

/** The answer to an invitation leads to no other business than the one that was open. */
export function keepBusiness(businessId: string): void {
  if (businessId !== "") localStorage.setItem(KEPT.business, businessId)
}

/** Lets in who is signed in and works for a business, and operators into their own area. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const account = useQuery({ queryKey: ["account"], queryFn: readAccount, staleTime: 60_000, retry: 1 })
  const session = useMemo(() => account.data && sessionOf(account.data), [account.data])
  if (account.isPending) return <Waiting />
  if (account.isError) return <Trouble error={account.error} onRetry={() => account.refetch()} />
  if (!session) return <NoBusiness account={account.data} />
  if (session.membership.needsFactor) return <ToSecondFactor />
  return <SessionContext value={session}>{children}</SessionContext>
}

function sessionOf(account: Account): Session | null {
  // The address of a request that was mailed says where it is; that counts for this page, and is not kept.
  const asked = new URLSearchParams(location.search)
  const chosen = asked.get("business") ?? localStorage.getItem(KEPT.business)
  const membership =
    account.businesses.find(({ businessId }) => businessId === chosen) ?? account.businesses[0]
  if (membership === undefined) return account.operator ? operatorOnly(account) : null
  // Nobody sends something real by mistake: production is chosen, never met.
  const kind = (asked.get("kind") ?? localStorage.getItem(KEPT.kind)) === "production" ? "production" : "demo"
  actFor(membership.businessId, kind)
  return { account, membership, kind }
}

/** Of no business: there is no token, so nothing but the operator's area can be asked for (`worksForBusiness`). */
function operatorOnly(account: Account): Session {
  if (!location.pathname.startsWith(OPERATOR_AREA)) history.replaceState(null, "", OPERATOR_AREA)
  const membership = { businessId: "", name: "Paraph", role: "member" } as const
  return { account, membership, kind: "production" }
}

const OPERATOR_AREA = "/console/operator"

export const worksForBusiness = ({ account }: Session): boolean => account.businesses.length > 0

function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <main className="mx-auto max-w-xl px-4 py-8">
      <div className="mb-6">
        <Wordmark />
      </div>
      {children}
    </main>
  )
}

function Waiting() {
  return (
    <Alone>
      <h1 className="sr-only">Paraph</h1>
      <Loading />
    </Alone>
  )
}

function ToSecondFactor() {
  useEffect(setUpFactor, [])
  return <Waiting />
}

function Trouble({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { i18n } = useLingui()
  return (
    <Alone>
      <h1 className="display mb-4 text-2xl">{i18n._("The console could not be opened")}</h1>
      <Wrong error={error} />
      <Button look="main" onClick={onRetry}>
        {i18n._("Try again")}
      </Button>
    </Alone>
  )
}

function NoBusiness({ account: { invitations } }: { readonly account: Account }) {
  const { i18n } = useLingui()
  if (invitations.length > 0)
    return (
      <Alone>
        <h1 className="display mb-4 text-2xl">{i18n._("You are invited")}</h1>
        <Invitations invitations={invitations} />
        <Button look="bare" className="mt-6" onClick={signOut}>
          {i18n._("Sign out")}
        </Button>
      </Alone>
    )
  return (
    <Alone>
      <h1 className="sr-only">Paraph</h1>
      <Nothing title={i18n._("You do not work for a business here yet")}>
        <p className="mb-4">
          {i18n._("Ask a colleague who administers your business to add your e-mail address.")}
        </p>
        <Button onClick={signOut}>{i18n._("Sign out")}</Button>
      </Nothing>
    </Alone>
  )
}
