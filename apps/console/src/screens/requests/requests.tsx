import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useRouter } from "@tanstack/react-router"
import { ChevronLeft, ChevronRight, Search, Send } from "lucide-react"
import { useEffect, useState } from "react"
import { requestList } from "../../api/requests.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayStatus } from "../../parts/said.ts"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { type Filters, readFilters, STATUSES } from "./filters.ts"
import { RequestRow } from "./request-row.tsx"

const route = getRouteApi("/requests")

export function Requests() {
  const { i18n } = useLingui()
  // The address may say more than this screen asks for, such as the business of a link from a mail.
  const filters = readFilters(route.useSearch())
  const list = useQuery(requestList(filters))
  return (
    <>
      <ScreenTitle title={i18n._("Requests")}>
        <SearchField search={filters.search ?? ""} />
        <Link to="/send" className="button button-main hidden sm:inline-flex">
          <Send aria-hidden="true" size={18} />
          {i18n._("Send a document")}
        </Link>
      </ScreenTitle>
      <StatusFilter filters={filters} />
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data && list.data.requests.length === 0 && <NoRequests filters={filters} />}
      {list.data && list.data.requests.length > 0 && (
        <ul className="card divide-y divide-(--line) overflow-hidden" aria-busy={list.isPlaceholderData}>
          {list.data.requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      )}
      {list.data && <Paging filters={filters} next={list.data.next} prev={list.data.prev} />}
    </>
  )
}

function StatusFilter({ filters }: { readonly filters: Filters }) {
  const { i18n } = useLingui()
  const chip = "flex min-h-11 items-center rounded-full px-4 text-sm font-semibold whitespace-nowrap"
  const { search } = filters
  return (
    <nav aria-label={i18n._("By status")} className="-mx-4 mb-3 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-1">
      <ul className="flex gap-1 lg:flex-wrap">
        {[undefined, ...STATUSES].map((status) => (
          <li key={status ?? "ALL"}>
            <Link
              to="/requests"
              search={{ ...(search && { search }), ...(status && { status_overall: status }) }}
              {...(status === filters.status_overall && { "aria-current": "true" as const })}
              className={`${chip} ${status === filters.status_overall ? "bg-(--accent) text-(--on-accent)" : "text-(--muted) hover:bg-(--accent-soft) hover:text-(--accent)"}`}
            >
              {status === undefined ? i18n._("All") : sayStatus(i18n, status)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const TYPING_MS = 300

function SearchField({ search }: { readonly search: string }) {
  const { i18n } = useLingui()
  const navigate = route.useNavigate()
  const router = useRouter()
  const [typed, setTyped] = useState(search)
  useEffect(() => {
    if (typed === search) return
    const later = setTimeout(() => {
      // Whoever has pressed on a line meanwhile is on the way there.
      if (!router.latestLocation.pathname.endsWith("/requests")) return
      navigate({
        search: ({ status_overall }) => ({
          ...(status_overall && { status_overall }),
          ...(typed !== "" && { search: typed }),
        }),
        replace: true,
      })
    }, TYPING_MS)
    return () => clearTimeout(later)
  }, [typed, search, navigate, router])
  return (
    <search className="relative order-last block w-full sm:order-none sm:w-60">
      <Search
        aria-hidden="true"
        size={18}
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-(--muted)"
      />
      <input
        type="search"
        aria-label={i18n._("Search by title")}
        placeholder={i18n._("Search by title")}
        className="field pl-10"
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  )
}

function NoRequests({ filters }: { readonly filters: Filters }) {
  const { i18n } = useLingui()
  if (filters.search !== undefined || filters.status_overall !== undefined)
    return (
      <Nothing title={i18n._("Nothing found")}>
        <Link to="/requests" className="link">
          {i18n._("Show all requests")}
        </Link>
      </Nothing>
    )
  return (
    <Nothing title={i18n._("Nothing has been sent yet")}>
      <p className="mb-5">{i18n._("Drop a PDF, say who signs, and follow it here.")}</p>
      <Link to="/send" className="button button-main">
        {i18n._("Send your first document")}
      </Link>
    </Nothing>
  )
}

type PagingProps = {
  readonly filters: Filters
  readonly next: string | null
  readonly prev: string | null
}

function Paging({ filters, next, prev }: PagingProps) {
  const { i18n } = useLingui()
  if (next === null && prev === null) return null
  return (
    <nav aria-label={i18n._("Pages")} className="mt-4 flex justify-between gap-3">
      {prev === null ? (
        <span />
      ) : (
        <Link to="/requests" search={{ ...filters, cursor: prev }} className="button button-quiet">
          <ChevronLeft aria-hidden="true" size={18} />
          {i18n._("Newer")}
        </Link>
      )}
      {next !== null && (
        <Link to="/requests" search={{ ...filters, cursor: next }} className="button button-quiet">
          {i18n._("Older")}
          <ChevronRight aria-hidden="true" size={18} />
        </Link>
      )}
    </nav>
  )
}
