import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ChevronRight, Search } from "lucide-react"
import { useDeferredValue, useState } from "react"
import { type BusinessRow, businesses } from "../../api/operator.ts"
import { Badge } from "../../parts/badge.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { sayFeature } from "../settings/features.ts"

export function Businesses() {
  const { i18n } = useLingui()
  const [search, setSearch] = useState("")
  const asked = useDeferredValue(search.trim())
  const list = useQuery(businesses(asked))
  return (
    <>
      <search className="relative mb-4 block max-w-md">
        <Search
          aria-hidden="true"
          size={18}
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-(--muted)"
        />
        <input
          type="search"
          aria-label={i18n._("Search by name")}
          placeholder={i18n._("Search by name")}
          className="field pl-10"
          maxLength={200}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </search>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <Nothing title={i18n._("Nothing found")} />}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="card divide-y divide-(--line) overflow-hidden" aria-busy={list.isPlaceholderData}>
          {list.data.map((business) => (
            <Row key={business.id} business={business} />
          ))}
        </ul>
      )}
    </>
  )
}

function Row({ business }: { readonly business: BusinessRow }) {
  const { i18n } = useLingui()
  const { id, name, members, keys, requests30d: requests, features, pending_sender_name: pending } = business
  return (
    <li className="relative flex items-center gap-4 px-4 py-3.5 hover:bg-(--accent-soft) sm:px-5">
      <div className="min-w-0 grow">
        <Link
          to="/operator/businesses/$id"
          params={{ id }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {name}
        </Link>
        <p className="text-sm text-(--muted)">
          {[
            i18n._("{members, plural, one {# member} other {# members}}", { members }),
            i18n._("{keys, plural, one {# key} other {# keys}}", { keys }),
            i18n._("{requests, plural, one {# request in 30 days} other {# requests in 30 days}}", {
              requests,
            }),
          ].join(" · ")}
        </p>
        <p className="text-sm text-(--muted)">
          {i18n._("since {time}", { time: sayTime(i18n, business.created_at) })}
        </p>
        {pending !== null && <Badge look="warn">{i18n._("Sender’s name to confirm")}</Badge>}
      </div>
      <ul className="hidden max-w-64 flex-wrap justify-end gap-1.5 md:flex">
        {features.map((feature) => (
          <li key={feature}>
            <Badge look="quiet">{sayFeature(i18n, feature)}</Badge>
          </li>
        ))}
      </ul>
      <ChevronRight aria-hidden="true" size={18} className="shrink-0 text-(--muted)" />
    </li>
  )
}
