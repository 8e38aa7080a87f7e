import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { KeyRound, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { api, must } from "../../api/client.ts"
import type { Webhook, WebhookWithSecret } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { NewWebhookSheet } from "./new-webhook-sheet.tsx"
import { SecretSheet } from "./secret-sheet.tsx"
import { webhookList } from "./webhook-list.ts"

export function Webhooks() {
  const { i18n } = useLingui()
  const list = useQuery(webhookList)
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<WebhookWithSecret | null>(null)
  const add = (
    <Button look="main" onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" size={18} />
      {i18n._("Add a webhook")}
    </Button>
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-(--muted)">
          {i18n._(
            "We call your address for every event, signed, and again for 72 hours when it does not answer.",
          )}
        </p>
        {list.data !== undefined && list.data.length > 0 && add}
      </div>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <Nothing title={i18n._("No webhook yet")}>{add}</Nothing>}
      <ul className="grid gap-3">
        {list.data?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onSecret={setShown} />
        ))}
      </ul>
      {isAdding && (
        <NewWebhookSheet
          onClose={() => setAdding(false)}
          onCreated={(created) => {
            setAdding(false)
            setShown(created)
          }}
        />
      )}
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
  const { id, url, types, created_at: createdAt, previous_secret_valid_until: until } = webhook
  const client = useQueryClient()
  const params = { path: { id } }
  const rotate = useMutation({
    mutationFn: async () => must(await api.POST("/webhooks/{id}/rotate-secret", { params })),
    onSuccess: async (rotated) => {
      onSecret(rotated)
      await client.invalidateQueries(webhookList)
    },
  })
  const remove = useMutation({
    mutationFn: async () => must(await api.DELETE("/webhooks/{id}", { params })),
    onSuccess: async () => {
      announce(i18n._("The webhook was deleted."))
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
      <Wrong error={rotate.error ?? remove.error} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          <KeyRound aria-hidden="true" size={18} />
          {i18n._("New secret")}
        </Button>
        <Button busy={remove.isPending} onClick={() => remove.mutate()}>
          <Trash2 aria-hidden="true" size={18} />
          {i18n._("Delete")}
        </Button>
      </div>
    </li>
  )
}
