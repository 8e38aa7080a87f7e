import { useLingui } from "@lingui/react"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { type AuditEntry, auditLog } from "../../api/audit.ts"
import { keyList } from "../../api/keys.ts"
import { templateList } from "../../api/templates.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayClock, sayDay } from "../../parts/said.ts"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { useSession } from "../../session/session.tsx"
import { ChangeList } from "./change-list.tsx"
import { changesOf, sayAct, sayTarget } from "./words.ts"

/** Who has changed what about the business; nobody can change this. */
export function AuditLog() {
  const { i18n } = useLingui()
  const list = useInfiniteQuery(auditLog)
  const known = useNames()
  const days = Map.groupBy(list.data ?? [], ({ at }) => dayOf(at))
  return (
    <>
      <ScreenTitle title={i18n._("Audit log")} />
      <p className="-mt-2 mb-5 max-w-2xl text-(--muted)">
        {i18n._("Every change to members, keys and settings is recorded here for good.")}
      </p>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <Nothing title={i18n._("Nothing was changed yet")} />}
      <div className="grid gap-6">
        {[...days].map(([day, entries]) => (
          <section key={day} aria-label={sayDay(i18n, day)}>
            <h2 className="mb-2 text-sm font-semibold text-(--muted)">{sayDay(i18n, day)}</h2>
            <ol className="card divide-y divide-(--line)">
              {entries.map((entry) => (
                <Line key={entry.id} entry={entry} known={known} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      <Older list={list} />
    </>
  )
}

function useNames(): ReadonlyMap<string, string> {
  const { membership } = useSession()
  const keys = useQuery(keyList).data ?? []
  const templates = useQuery(templateList).data ?? []
  return new Map([
    [membership.businessId, membership.name] as const,
    ...[...keys, ...templates].map(({ id, name }) => [id, name] as const),
  ])
}

/** The day where the reader is, as the interface writes days. */
function dayOf(iso: string): string {
  const at = new Date(iso)
  const two = (number: number) => String(number).padStart(2, "0")
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

type LineProps = { readonly entry: AuditEntry; readonly known: ReadonlyMap<string, string> }

function Line({ entry, known }: LineProps) {
  const { i18n } = useLingui()
  const { at, actor, act } = entry
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 sm:px-5 md:grid-cols-[4.5rem_minmax(0,1fr)_16rem]">
      <time dateTime={at} className="text-sm text-(--muted) tabular-nums">
        {sayClock(i18n, new Date(at))}
      </time>
      <div className="min-w-0">
        <p className="font-semibold">{sayAct(i18n, act)}</p>
        <p className="text-sm text-(--muted)">{sayTarget(i18n, entry.target, known)}</p>
        <ChangeList changes={changesOf(i18n, entry, known)} />
      </div>
      <p className="col-start-2 text-sm md:col-start-3 md:text-right">
        {actor === "operator" ? i18n._("The operator of the service") : actor}
      </p>
    </li>
  )
}
