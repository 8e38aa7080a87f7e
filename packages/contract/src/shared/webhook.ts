import { JOURNAL_TYPES } from "@paraph/core/journal/model"
import type { CreateWebhook } from "@paraph/core/webhook/create"
import type { Webhook as Model } from "@paraph/core/webhook/model"
import { Type } from "typebox"
import { EventType } from "./event.ts"
import { DateTime, Url, Uuid } from "./fields.ts"

/** Decisions, "webhooks": the same in every version that has them. */
const Types = Type.Array(EventType, {
  maxItems: JOURNAL_TYPES.length,
  description: "Only events of these types; all of them when there is none.",
})

const newMembers = { url: Url, types: Type.Optional(Types) }
export const NewWebhook = Type.Object(newMembers)
export const ClosedNewWebhook = Type.Object(newMembers, { additionalProperties: false })
export type NewWebhook = Type.Static<typeof NewWebhook>

const members = {
  id: Uuid,
  url: Type.String(),
  types: Types,
  public_key: Type.Optional(
    Type.String({
      description: "whpk_…: the Ed25519 key of this service, which signs beside the secret (v1a).",
    }),
  ),
  previous_secret_valid_until: Type.Optional(DateTime),
  stopped_at: Type.Optional(
    Type.String({
      format: "date-time",
      description:
        "The API key that its secret was shown to was revoked. Nothing is sent until it has a new secret.",
    }),
  ),
  created_at: DateTime,
  updated_at: DateTime,
}
export const Webhook = Type.Object(members)
export type Webhook = Type.Static<typeof Webhook>

/** Shown once, where it is made. */
export const WebhookWithSecret = Type.Object({
  ...members,
  secret: Type.String({ description: "whsec_…: keep it. It is not shown again." }),
})
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>

export const readNewWebhook = ({ url, types = [] }: NewWebhook): CreateWebhook => ({ url, types })

export function writeWebhook(webhook: Model, publicKey: string | null): Webhook {
  const until = webhook.secrets[1]?.validUntil ?? null
  return {
    id: webhook.id,
    url: webhook.url,
    types: [...webhook.types],
    ...(publicKey !== null && { public_key: publicKey }),
    ...(until !== null && { previous_secret_valid_until: until.toISOString() }),
    ...(webhook.stoppedAt !== null && { stopped_at: webhook.stoppedAt.toISOString() }),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

export const writeWebhookWithSecret = (webhook: Model, publicKey: string | null): WebhookWithSecret => ({
  ...writeWebhook(webhook, publicKey),
  secret: webhook.secrets[0]?.secret ?? "",
})
