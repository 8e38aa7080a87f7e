import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { CircleCheck, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { type Certificate, type OverviewAnswer, overview } from "../../api/operator.ts"
import { Badge } from "../../parts/badge.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { sayDay, saySize } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"
import { FactorsCard } from "./factors-card.tsx"
import { Queues } from "./queues.tsx"

const SLOW_SECONDS = 300

export function Overview() {
  const found = useQuery(overview)
  return (
    <>
      <Wrong error={found.error} />
      {found.isPending && <Loading />}
      {found.data && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Health of={found.data} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
            <Certificates certificates={found.data.certificates} />
            <Queues queues={found.data.queue} />
            <Facts of={found.data} />
            <FactorsCard />
          </div>
        </div>
      )}
    </>
  )
}

/** What needs somebody, in one line each; one line that says so when nothing does. */
function Health({ of }: { readonly of: OverviewAnswer }) {
  const { i18n } = useLingui()
  const failed = of.queue.reduce((sum, queue) => sum + queue.failed, 0)
  const slow = of.queue.filter((queue) => queue.oldest_seconds > SLOW_SECONDS)
  const ending = of.certificates.filter(({ days_left }) => days_left < SOON_DAYS)
  const troubles: ReactNode[] = [
    ...ending.map(({ name, days_left: days }) =>
      days < 0
        ? i18n._("The certificate {name} has expired.", { name })
        : i18n._("The certificate {name} ends in {days, plural, one {# day} other {# days}}.", {
            name,
            days,
          }),
    ),
    ...(failed > 0
      ? [
          <Link key="jobs" to="/operator/jobs" className="link">
            {i18n._("{failed, plural, one {# job has failed} other {# jobs have failed}}", { failed })}
          </Link>,
        ]
      : []),
    ...slow.map(({ name }) => i18n._("{name} has been waiting for more than five minutes.", { name })),
  ]
  if (troubles.length === 0)
    return (
      <p className="flex items-center gap-3 rounded-xl bg-(--good-soft) px-4 py-3 font-semibold text-(--good)">
        <CircleCheck aria-hidden="true" size={20} className="shrink-0" />
        {i18n._("All done. Nothing is waiting for you.")}
      </p>
    )
  return (
    <ul className="grid gap-1 rounded-xl bg-(--warn-soft) px-4 py-3 font-semibold text-(--warn)">
      {troubles.map((trouble, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are told anew each time
        <li key={index} className="flex items-center gap-3">
          <TriangleAlert aria-hidden="true" size={18} className="shrink-0" />
          <span>{trouble}</span>
        </li>
      ))}
    </ul>
  )
}

const SOON_DAYS = 30

function Certificates({ certificates }: { readonly certificates: readonly Certificate[] }) {
  const { i18n } = useLingui()
  return (
    <Section title={i18n._("Certificates")}>
      {certificates.length === 0 && <p className="text-(--muted)">{i18n._("There are none.")}</p>}
      <ul className="divide-y divide-(--line)">
        {certificates.map(({ name, subject, not_after: end, days_left: days }) => (
          <li key={name} className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 grow">
              <p className="font-semibold">{name}</p>
              {/* As people write it: a comma within a name has a backslash before it (RFC 4514). */}
              <p className="text-sm text-(--muted)">{subject.replaceAll("\\,", ",")}</p>
              <p className="text-sm text-(--muted)">{i18n._("until {day}", { day: sayDay(i18n, end) })}</p>
            </div>
            <Badge look={days < 0 ? "bad" : days < SOON_DAYS ? "warn" : "good"}>
              {i18n._("{days, plural, one {# day} other {# days}}", { days })}
            </Badge>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const GB = 1e9

const sayLarge = (i18n: I18n, bytes: number): string =>
  bytes < GB
    ? saySize(i18n, bytes)
    : new Intl.NumberFormat(i18n.locale, {
        style: "unit",
        unit: "gigabyte",
        maximumFractionDigits: 1,
      }).format(bytes / GB)

function Facts({ of: { deliveries, mails, storage, versions } }: { readonly of: OverviewAnswer }) {
  const { i18n } = useLingui()
  const number = new Intl.NumberFormat(i18n.locale)
  const facts: readonly (readonly [string, string])[] = [
    [i18n._("Callbacks and webhooks under way"), number.format(deliveries.open)],
    [i18n._("Given up within a day"), number.format(deliveries.resigned)],
    [i18n._("Mails waiting"), number.format(mails.waiting)],
    [i18n._("Mails failed within a day"), number.format(mails.failed)],
    [i18n._("Documents"), number.format(storage.documents)],
    [i18n._("Size of the database"), sayLarge(i18n, storage.database_bytes)],
    ["Node.js", versions.node],
    ["PostgreSQL", versions.postgres],
    [i18n._("Schema"), versions.schema],
  ]
  return (
    <Section title={i18n._("In figures")}>
      <dl className="grid gap-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-(--muted)">{name}</dt>
            <dd className="min-w-0 text-right font-medium tabular-nums [overflow-wrap:normal]">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
