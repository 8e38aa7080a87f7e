import { useLingui } from "@lingui/react"
import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type Mail, mailList } from "../../api/mails.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayAgo, sayTime } from "../../parts/said.ts"
import { useSession } from "../../session/session.tsx"
import { MailBadge } from "./mail-badge.tsx"

const route = getRouteApi("/developers/mails")
const LOOKS_AGAIN_MS = 5_000

/** What tests have mailed, with the links in it: nobody needs a mailbox to try something out. */
export function Mails() {
  const { i18n } = useLingui()
  const { request } = route.useSearch()
  const { kind } = useSession()
  const isTest = kind === "demo"
  const list = useInfiniteQuery({ ...mailList(request), enabled: isTest, refetchInterval: LOOKS_AGAIN_MS })
  if (!isTest)
    return (
      <Nothing title={i18n._("Mails of tests are kept here")}>
        {i18n._(
          "Those of production are never kept. Switch to Test in the menu of your account to see them.",
        )}
      </Nothing>
    )
  return (
    <>
      <p className="mb-4 max-w-2xl text-(--muted)">
        {i18n._(
          "Every mail and SMS about a test is kept here for seven days, so that you can open its links and read its codes. An SMS of a test is sent to nobody.",
        )}
      </p>
      {request !== undefined && (
        <p className="mb-4 flex flex-wrap items-center gap-x-4 rounded-xl bg-(--accent-soft) px-4 py-1.5">
          <span className="font-semibold">{i18n._("Of one request only")}</span>
          <Link to="/developers/mails" search={{}} className="link flex min-h-11 items-center">
            {i18n._("Show all mails")}
          </Link>
        </p>
      )}
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <Nothing title={i18n._("No mail yet")}>
          {i18n._("As soon as a test asks somebody to sign, the invitation is seen here.")}
        </Nothing>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="card divide-y divide-(--line) overflow-hidden">
          {list.data.map((mail) => (
            <MailRow key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </>
  )
}

function MailRow({ mail }: { readonly mail: Mail }) {
  const { i18n } = useLingui()
  const { id, at, channel, to, subject, state } = mail
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-(--accent-soft) sm:px-5 md:grid-cols-[minmax(0,1fr)_8rem_8rem]">
      <div className="col-span-2 min-w-0 md:col-span-1">
        <Link
          to="/developers/mails/$id"
          params={{ id }}
          className="line-clamp-2 font-semibold after:absolute after:inset-0"
        >
          {channel === "SMS" ? i18n._("SMS with a code") : subject}
        </Link>
        <p className="truncate text-sm text-(--muted)">{i18n._("To {address}", { address: to })}</p>
      </div>
      <time
        dateTime={at}
        title={sayTime(i18n, at)}
        className="text-sm whitespace-nowrap text-(--muted) md:text-right"
      >
        {sayAgo(i18n, at)}
      </time>
      <div className="justify-self-end">
        <MailBadge state={state} kept={channel === "SMS"} />
      </div>
    </li>
  )
}
