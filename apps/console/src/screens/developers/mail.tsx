import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { ArrowLeft, Mail, TextAlignStart } from "lucide-react"
import { useState } from "react"
import { type MailWithContent, oneMail } from "../../api/mails.ts"
import { ownLogo } from "../../api/settings.ts"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { MailBadge } from "./mail-badge.tsx"
import { MailFrame } from "./mail-frame.tsx"

const route = getRouteApi("/developers/mails/$id")

export function OneMail() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const mail = useQuery(oneMail(id))
  return (
    <>
      <Link to="/developers/mails" search={{}} className="button button-bare -mt-2 mb-2 -ml-3">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All mails")}
      </Link>
      <Wrong error={mail.error} />
      {mail.isPending && <Loading />}
      {mail.data && <Shown mail={mail.data} />}
    </>
  )
}

function Shown({ mail }: { readonly mail: MailWithContent }) {
  const { i18n } = useLingui()
  const { channel, subject, state } = mail
  return (
    <article className="card overflow-hidden">
      <header className={channel === "SMS" ? "border-b border-(--line) p-5" : "px-5 pt-5 pb-4"}>
        <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="display min-w-0 text-xl">
            {channel === "SMS" ? i18n._("SMS with a code") : subject}
          </h2>
          <MailBadge state={state} kept={channel === "SMS"} />
        </div>
        <Facts mail={mail} />
      </header>
      {channel === "SMS" ? <Bubble text={mail.text} /> : <Letter mail={mail} />}
    </article>
  )
}

function Facts({ mail }: { readonly mail: MailWithContent }) {
  const { i18n } = useLingui()
  const { at, to, type, signature_request_id: requestId } = mail
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm [&_dd]:font-medium [&_div]:flex [&_div]:gap-1.5 [&_dt]:text-(--muted)">
      <div>
        <dt>{i18n._("To")}</dt>
        <dd>{to}</dd>
      </div>
      <div>
        <dt>{i18n._("When")}</dt>
        <dd>
          <time dateTime={at}>{sayTime(i18n, at)}</time>
        </dd>
      </div>
      <div>
        <dt>{i18n._("Type")}</dt>
        <dd>
          <code>{type}</code>
        </dd>
      </div>
      {requestId !== undefined && (
        <div>
          <dt>{i18n._("Request")}</dt>
          <dd>
            <Link to="/requests/$id" params={{ id: requestId }} className="link">
              {requestId.slice(0, 8)}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** A text message, as a telephone shows it. */
const Bubble = ({ text }: { readonly text: string }) => (
  <div className="p-5">
    <p className="max-w-sm rounded-2xl rounded-bl-sm bg-(--accent-soft) px-4 py-3 break-words">{text}</p>
  </div>
)

function Letter({ mail }: { readonly mail: MailWithContent }) {
  const { i18n } = useLingui()
  const [isPlain, setPlain] = useState(false)
  const logo = useQuery({ ...ownLogo, enabled: mail.html.includes('"cid:') })
  return (
    <>
      <div className="border-b border-(--line) px-5 pb-5">
        <Button onClick={() => setPlain(!isPlain)}>
          {isPlain ? <Mail aria-hidden="true" size={18} /> : <TextAlignStart aria-hidden="true" size={18} />}
          {isPlain ? i18n._("Show it as it looks") : i18n._("Show it as plain text")}
        </Button>
      </div>
      {isPlain ? (
        <pre className="p-5 font-mono text-sm whitespace-pre-wrap">{mail.text}</pre>
      ) : (
        <MailFrame html={mail.html} title={mail.subject} logo={logo.data ?? null} />
      )}
    </>
  )
}
