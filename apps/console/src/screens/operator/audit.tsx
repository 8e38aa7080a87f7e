import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type AuditEntry, auditOf, businesses } from "../../api/operator.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayTime } from "../../parts/said.ts"
import { ChangeList } from "../audit/change-list.tsx"
import { changesOf, sayAct, sayTarget } from "../audit/words.ts"

/** Who did what to what, and what it was before and after; of everybody, in every business. */
export function Audit() {
  const { i18n } = useLingui()
  const [businessId, setBusinessId] = useState("")
  const known = useQuery(businesses(""))
  const names = new Map(known.data?.map(({ id, name }) => [id, name] as const))
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
            <Entry key={entry.id} entry={entry} names={names} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </>
  )
}

type EntryProps = { readonly entry: AuditEntry; readonly names: ReadonlyMap<string, string> }

function Entry({ entry, names }: EntryProps) {
  const { i18n } = useLingui()
  const { at, actor, shell_user: shellUser, act, target, business_id: businessId, before, after } = entry
  const business = businessId === undefined ? undefined : names.get(businessId)
  const about = sayTarget(i18n, target, names)
  return (
    <li className="grid gap-x-4 px-4 py-3 sm:px-5 md:grid-cols-[minmax(0,1fr)_16rem]">
      <div className="min-w-0">
        <p className="font-semibold">{sayOwnAct(i18n, act) ?? sayAct(i18n, act)}</p>
        <p className="text-sm text-(--muted)">
          {business === undefined || business === about ? about : `${business} · ${about}`}
        </p>
        <ChangeList
          changes={changesOf(i18n, { ...(before && { before }), ...(after && { after }) }, names)}
        />
      </div>
      <p className="text-sm md:text-right">
        {actor ?? i18n._("{user} in a shell", { user: shellUser ?? "?" })}
        <time dateTime={at} className="block text-(--muted)">
          {sayTime(i18n, at)}
        </time>
      </p>
    </li>
  )
}

/** What only operators do. */
function sayOwnAct(i18n: I18n, act: string): string | null {
  switch (act) {
    case "look-at-business":
      return i18n._("Viewed the business")
    case "retry-job":
      return i18n._("Tried a failed job again")
    case "reset-factors":
      return i18n._("Removed a lost second factor")
    case "ask-factor-reset":
      return i18n._("Asked to remove a lost second factor")
    case "refuse-factor-reset":
      return i18n._("Refused to remove a second factor")
    case "add-operator":
      return i18n._("Added an operator")
    case "remove-operator":
      return i18n._("Removed an operator")
    default:
      return null
  }
}
