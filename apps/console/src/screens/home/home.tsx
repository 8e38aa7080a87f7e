import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Send } from "lucide-react"
import { requestList } from "../../api/requests.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { builds } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { RequestRow } from "../requests/request-row.tsx"
import { Figures } from "./figures.tsx"
import { FirstSteps } from "./first-steps.tsx"
import { Waiting } from "./waiting.tsx"

/** What a day begins with: what waits, how the last ones go, and what a new business does next. */
export function Home() {
  const { i18n } = useLingui()
  const { account, membership } = useSession()
  const [first] = (account.name ?? "").split(" ")
  return (
    <>
      <ScreenTitle title={first ? i18n._("Good day, {name}", { name: first }) : i18n._("Good day")}>
        <Link to="/send" className="button button-main hidden sm:inline-flex">
          <Send aria-hidden="true" size={18} />
          {i18n._("Send a document")}
        </Link>
      </ScreenTitle>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Waiting />
        <FirstSteps />
        {builds(membership.role) && <Figures />}
        <Latest />
      </div>
    </>
  )
}

const SHOWN = 6

function Latest() {
  const { i18n } = useLingui()
  const list = useQuery(requestList({}))
  const requests = list.data?.requests.slice(0, SHOWN) ?? []
  return (
    <section aria-labelledby="latest">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-3">
        <h2 id="latest" className="display text-lg">
          {i18n._("Latest requests")}
        </h2>
        {requests.length > 0 && (
          <Link to="/requests" className="link flex min-h-11 items-center">
            {i18n._("All requests")}
          </Link>
        )}
      </div>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.requests.length === 0 && (
        <Nothing title={i18n._("Nothing has been sent yet")}>
          {i18n._("Drop a PDF, say who signs, and follow it here.")}
        </Nothing>
      )}
      {requests.length > 0 && (
        <ul className="card divide-y divide-(--line) overflow-hidden">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      )}
    </section>
  )
}
