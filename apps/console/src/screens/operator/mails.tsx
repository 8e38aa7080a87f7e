import { useLingui } from "@lingui/react"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type LoggedMail, MAIL_STATES, mailLog } from "../../api/operator.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayTime } from "../../parts/said.ts"
import { MailBadge } from "../developers/mail-badge.tsx"

const LOOKS_AGAIN_MS = 10_000

/** Whether mails leave, and what came of them; to whom is told as far as one needs it to find a mail again. */
export function Mails() {
  const { i18n } = useLingui()
  const [state, setState] = useState("")
  const list = useInfiniteQuery({ ...mailLog(state), refetchInterval: LOOKS_AGAIN_MS })
  const mails = list.data?.pages.flat() ?? []
  const words = {
    WAITING: i18n._("On its way"),
    SENT: i18n._("Sent"),
    FAILED: i18n._("Failed"),
    BOUNCED: i18n._("Came back"),
  }
  return (
    <>
      <label className="mb-4 block max-w-56">
        <span className="mb-1 block text-sm font-semibold">{i18n._("State")}</span>
        <select className="field" value={state} onChange={({ target }) => setState(target.value)}>
          <option value="">{i18n._("All")}</option>
          {MAIL_STATES.map((each) => (
            <option key={each} value={each}>
              {words[each]}
            </option>
          ))}
        </select>
      </label>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data && mails.length === 0 && <Nothing title={i18n._("There are none.")} />}
      {mails.length > 0 && (
        <ul className="card divide-y divide-(--line)">
          {mails.map((mail) => (
            <MailLine key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </>
  )
}

function MailLine({ mail }: { readonly mail: LoggedMail }) {
  const { i18n } = useLingui()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-3 sm:px-5 md:grid-cols-[minmax(0,1fr)_11rem_7.5rem]">
      <div className="min-w-0">
        <p className="truncate font-semibold">{mail.to}</p>
        <p className="text-sm text-(--muted)">
          <span className="font-mono text-xs">
            {mail.channel === "sms" ? `${mail.type} · SMS` : mail.type}
          </span>
          {mail.attempts > 1 && (
            <>
              {" · "}
              {i18n._("{attempts, plural, one {# attempt} other {# attempts}}", { attempts: mail.attempts })}
            </>
          )}
        </p>
      </div>
      <time
        dateTime={mail.at}
        className="col-start-1 row-start-2 text-sm text-(--muted) md:col-start-2 md:row-start-1"
      >
        {sayTime(i18n, mail.at)}
      </time>
      <div className="justify-self-end">
        <MailBadge state={mail.state} />
      </div>
      {mail.error !== undefined && <p className="col-span-full mt-1 text-sm text-(--danger)">{mail.error}</p>}
    </li>
  )
}
