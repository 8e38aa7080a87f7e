import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { oneRequest } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { StatusBadge } from "../../parts/status-badge.tsx"
import { useSession } from "../../session/session.tsx"
import { Attachments } from "./attachments.tsx"
import { Deliveries } from "./deliveries.tsx"
import { Documents } from "./documents.tsx"
import { Facts } from "./facts.tsx"
import { Observers } from "./observers.tsx"
import { People } from "./people.tsx"
import { RequestActions } from "./request-actions.tsx"

const route = getRouteApi("/requests/$id")

export function Request() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const request = useQuery(oneRequest(id))
  return (
    <>
      <Link to="/requests" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All requests")}
      </Link>
      {request.isPending && <Loading />}
      {!request.data && request.isError && (
        <>
          <ScreenTitle title={i18n._("Request")} />
          <Wrong error={request.error} />
        </>
      )}
      {request.data && <Shown request={request.data} />}
    </>
  )
}

function Shown({ request }: { readonly request: SignatureRequest }) {
  const { account } = useSession()
  const mayChange = request.owner === account.email || request.write_access.includes(account.email)
  return (
    <>
      <ScreenTitle title={request.title}>
        <StatusBadge status={request.status_overall} />
      </ScreenTitle>
      <RequestActions request={request} mayChange={mayChange} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-5">
          <People request={request} mayChange={mayChange} />
          <Documents request={request} />
          <Deliveries request={request} mayChange={mayChange} />
        </div>
        <div className="grid min-w-0 gap-5">
          <Facts request={request} />
          <Observers request={request} mayChange={mayChange} />
          <Attachments request={request} mayChange={mayChange} />
        </div>
      </div>
    </>
  )
}
