import { useLingui } from "@lingui/react"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayTime } from "../../parts/said.ts"
import { type AuditEntry, auditOf, businesses } from "./operator-api.ts"

/** Who did what to what, and what it was before and after; of everybody, in every business. */
export function Audit() {
  const { i18n } = useLingui()
  const [businessId, setBusinessId] = useState("")
  const known = useQuery(businesses(""))
  const list = useInfiniteQuery(auditOf(businessId))
  const entries = list.data?.pages.flat() ?? []
  return (
    <>
      <label className="mb-4 block max-w-md">
        <span className="mb-1 block text-sm font-semibold">{i18n._("Business")}</span>
        <select className="field" value={businessId} onChange={({ target }) => setBusinessId(target.value)}>
          <option value="">{i18n._("All")}</option>
          {known.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data && entries.length === 0 && <Nothing title={i18n._("Nothing has happened yet")} />}
      {entries.length > 0 && (
        <ul className="card divide-y divide-(--line)">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </>
  )
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { i18n } = useLingui()
  const { at, actor, shell_user: shellUser, act, target, before, after } = entry
  const hasMore = before != null || after != null
  return (
    <li className="grid gap-x-4 px-4 py-3 sm:px-5 md:grid-cols-[minmax(0,1fr)_11rem]">
      <div className="min-w-0">
        <p>
          <span className="font-semibold">
            {actor ?? i18n._("{user} in a shell", { user: shellUser ?? "?" })}
          </span>{" "}
          <span className="font-mono text-sm">{act}</span>
        </p>
        <p className="text-sm text-(--muted)">{target}</p>
      </div>
      <time dateTime={at} className="text-sm text-(--muted) md:text-right">
        {sayTime(i18n, at)}
      </time>
      {hasMore && (
        <details className="col-span-full text-sm">
          <summary className="min-h-11 py-2.5 font-semibold text-(--accent)">
            {i18n._("What changed")}
          </summary>
          <dl className="grid gap-2 sm:grid-cols-2">
            <Value name={i18n._("Before")} value={before} />
            <Value name={i18n._("After")} value={after} />
          </dl>
        </details>
      )}
    </li>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value == null) return null
  return (
    <div className="min-w-0">
      <dt className="text-(--muted)">{name}</dt>
      <dd>
        <code className="code block break-all whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</code>
      </dd>
    </div>
  )
}
