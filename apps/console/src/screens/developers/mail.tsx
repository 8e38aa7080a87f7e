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
  const [isPlain, setPlain] = useState(false)
  const logo = useQuery({ ...ownLogo, enabled: mail.html.includes('"cid:') })
  const { at, to, type, subject, state, signature_request_id: requestId, text, html } = mail
  return (
    <article className="card overflow-hidden">
      <header className="border-b border-(--line) p-5">
        <div className="mb-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="display min-w-0 text-xl">{subject}</h2>
          <MailBadge state={state} />
        </div>
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
        <Button className="mt-4" onClick={() => setPlain(!isPlain)}>
          {isPlain ? <Mail aria-hidden="true" size={18} /> : <TextAlignStart aria-hidden="true" size={18} />}
          {isPlain ? i18n._("Show it as it looks") : i18n._("Show it as plain text")}
        </Button>
      </header>
      {isPlain ? (
        <pre className="p-5 font-mono text-sm whitespace-pre-wrap">{text}</pre>
      ) : (
        <MailFrame html={html} title={subject} logo={logo.data ?? null} />
      )}
    </article>
  )
}
