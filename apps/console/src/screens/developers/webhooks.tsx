import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { KeyRound, ListChecks, Plus, Trash2, TriangleAlert } from "lucide-react"
import { useState } from "react"
import { api, must } from "../../api/client.ts"
import type { Webhook, WebhookWithSecret } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { ConfirmSheet } from "../../parts/confirm-sheet.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { focusTitle } from "../../parts/screen-title.tsx"
import { NewWebhookSheet } from "./new-webhook-sheet.tsx"
import { SecretSheet } from "./secret-sheet.tsx"
import { webhookList } from "./webhook-list.ts"

export function Webhooks() {
  const { i18n } = useLingui()
  const list = useQuery(webhookList)
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<WebhookWithSecret | null>(null)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-(--muted)">
          {i18n._(
            "We call your address for every event, with a signature. If it does not answer, we try again for 72 hours.",
          )}
        </p>
        <Button look="main" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" size={18} />
          {i18n._("Add a webhook")}
        </Button>
      </div>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <Nothing title={i18n._("No webhook yet")} />}
      <ul className="grid gap-3">
        {list.data?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onSecret={setShown} />
        ))}
      </ul>
      {isAdding && <NewWebhookSheet onClose={() => setAdding(false)} />}
      {shown && <SecretSheet webhook={shown} onClose={() => setShown(null)} />}
    </>
  )
}

type WebhookCardProps = {
  readonly webhook: Webhook
  readonly onSecret: (webhook: WebhookWithSecret) => void
}

function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const { i18n } = useLingui()
  const { id, url, types, created_at: createdAt, previous_secret_valid_until: until, stopped_at } = webhook
  const client = useQueryClient()
  const params = { path: { id } }
  const rotate = useMutation({
    mutationFn: async () => must(await api.POST("/webhooks/{id}/rotate-secret", { params })),
    onSuccess: async (rotated) => {
      onSecret(rotated)
      await client.invalidateQueries(webhookList)
    },
  })
  return (
    <li className="card p-5">
      <h2 className="mb-1 font-mono text-sm font-semibold">{url}</h2>
      <p className="text-sm text-(--muted)">
        {types.length === 0 ? i18n._("All events") : types.join(", ")}
        {" · "}
        {i18n._("since {time}", { time: sayTime(i18n, createdAt) })}
      </p>
      {until !== undefined && (
        <p className="text-sm font-semibold text-(--warn)">
          {i18n._("The secret before it is valid until {time}", { time: sayTime(i18n, until) })}
        </p>
      )}
      {stopped_at !== undefined && (
        <p className="mt-2 flex items-start gap-2 rounded-lg bg-(--warn-soft) px-3 py-2 text-sm font-semibold text-(--warn)">
          <TriangleAlert aria-hidden="true" size={18} className="shrink-0" />
          {i18n._("Paused, because its key was reset or revoked. Make a new secret to start it again.")}
        </p>
      )}
      <Wrong error={rotate.error} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Link to="/developers/webhooks/$id" params={{ id }} className="button button-quiet">
          <ListChecks aria-hidden="true" size={18} />
          {i18n._("Deliveries")}
        </Link>
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          <KeyRound aria-hidden="true" size={18} />
          {i18n._("New secret")}
        </Button>
        <DeleteWebhook webhook={webhook} />
      </div>
    </li>
  )
}

function DeleteWebhook({ webhook: { id, url } }: { readonly webhook: Webhook }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" size={18} />
        {i18n._("Delete")}
      </Button>
      {isAsking && (
        <ConfirmSheet
          heading={i18n._("Delete this webhook?")}
          act={i18n._("Delete the webhook")}
          onConfirm={async () => must(await api.DELETE("/webhooks/{id}", { params: { path: { id } } }))}
          onDone={() => {
            focusTitle()
            announce(i18n._("The webhook was deleted."))
            client.invalidateQueries(webhookList)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{i18n._("{url} is not called any more, and what was delivered is forgotten.", { url })}</p>
        </ConfirmSheet>
      )}
    </>
  )
}
