import { useLingui } from "@lingui/react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { RotateCw } from "lucide-react"
import { useState } from "react"
import { api, must } from "../../api/client.ts"
import type { JournalEvent } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { readJournal } from "./journal.ts"
import { webhookList } from "./webhook-list.ts"

const LOOKS_AGAIN_MS = 5_000
const SHOWN = 100

/** What happened, the newest first, as webhooks are told of it. */
export function Events() {
  const { i18n } = useLingui()
  const journal = useQuery({ queryKey: ["events"], queryFn: readJournal, refetchInterval: LOOKS_AGAIN_MS })
  const [shown, setShown] = useState(SHOWN)
  const webhooks = useQuery(webhookList)
  const [webhookId, setWebhookId] = useState("")
  const target = webhookId || webhooks.data?.[0]?.id
  const replay = useMutation({
    mutationFn: async (id: string) =>
      must(await api.POST("/events/replay", { body: { webhook_id: target ?? "", ids: [id] } })),
    onSuccess: () => announce(i18n._("The event is sent once more.")),
  })
  const all = journal.data ?? []
  return (
    <>
      {webhooks.data !== undefined && webhooks.data.length > 1 && (
        <label className="mb-4 block max-w-xl">
          <span className="mb-1 block text-sm font-semibold">{i18n._("Send again to")}</span>
          <select className="field" value={target} onChange={(event) => setWebhookId(event.target.value)}>
            {webhooks.data.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </label>
      )}
      <Wrong error={journal.error ?? replay.error} />
      {journal.isPending && <Loading />}
      {journal.data?.length === 0 && (
        <Nothing title={i18n._("Nothing has happened yet")}>
          {i18n._("What happens to your requests and documents is listed here.")}
        </Nothing>
      )}
      {all.length > 0 && (
        <ul className="card divide-y divide-(--line)">
          {all.slice(0, shown).map((event) => (
            <EventRow
              key={event.id}
              event={event}
              {...(target !== undefined && { onReplay: () => replay.mutate(event.id) })}
            />
          ))}
        </ul>
      )}
      {all.length > shown && (
        <Button className="mt-4" onClick={() => setShown(shown + SHOWN)}>
          {i18n._("Show older events")}
        </Button>
      )}
    </>
  )
}

type EventRowProps = { readonly event: JournalEvent; readonly onReplay?: () => void }

function EventRow({ event, onReplay }: EventRowProps) {
  const { i18n } = useLingui()
  const { signature_request_id: requestId, status_overall: status } = event.data
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_11rem_auto]">
      <div>
        <p className="font-mono text-sm font-semibold">{event.type}</p>
        <p className="text-sm text-(--muted)">
          {requestId !== undefined && (
            <Link to="/requests/$id" params={{ id: requestId }} className="link">
              {requestId.slice(0, 8)}
            </Link>
          )}
          {status !== undefined && ` ${status}`}
        </p>
      </div>
      <time
        dateTime={event.created_at}
        className="col-start-1 text-sm text-(--muted) sm:col-start-2 sm:row-start-1"
      >
        {sayTime(i18n, event.created_at)}
      </time>
      {onReplay && (
        <Button
          look="icon"
          className="col-start-2 row-span-2 row-start-1 sm:col-start-3 sm:row-span-1"
          aria-label={i18n._("Send {type} of {time} again", {
            type: event.type,
            time: sayTime(i18n, event.created_at),
          })}
          title={i18n._("Send again")}
          onClick={onReplay}
        >
          <RotateCw aria-hidden="true" size={18} />
        </Button>
      )}
    </li>
  )
}
