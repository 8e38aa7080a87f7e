import type { ApiKey as Model } from "@paraph/core/business/api-key"
import type { CreateKey } from "@paraph/core/business/keys"
import type { MadeKey } from "@paraph/core/business/make-keys"
import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"
import { closed, DateTime, orNull, TEXT, Uuid } from "../shared/fields.ts"

/** An addition of ours: what the developer page does (REG-03; ADR 0034). */
const Name = Type.String({
  minLength: 1,
  maxLength: LIMITS.keyNameCharacters,
  pattern: TEXT,
  description: "What people call it; not blank.",
})
const Kind = Type.Enum(["demo", "production"])

const members = {
  id: Uuid,
  name: Type.String(),
  username: Type.String({ description: "The API user that logs in with it." }),
  kind: Kind,
  hint: Type.String({ description: "Its last four characters." }),
  created_at: DateTime,
  expires_at: DateTime,
  last_used_at: Type.Optional(
    Type.String({ format: "date-time", description: "At a login or with a token, to the minute." }),
  ),
  revoked_at: Type.Optional(DateTime),
  reset_by_operator_at: Type.Optional(
    Type.String({
      format: "date-time",
      description:
        "When the operator ended it, because it was out. Reset it to be shown the one in its place; absent once somebody did.",
    }),
  ),
  created_by: Type.Optional(Type.String({ description: "The e-mail address of whoever made it." })),
}
export const ApiKey = Type.Object(members)
export type ApiKey = Type.Static<typeof ApiKey>

const shownOnce = { api_key: Type.String({ description: "Keep it. It is not shown again." }) }

export const ApiKeyWithSecret = Type.Object({ ...members, ...shownOnce })
export type ApiKeyWithSecret = Type.Static<typeof ApiKeyWithSecret>

export const ResetApiKey = Type.Object({
  ...members,
  ...shownOnce,
  stopped_webhooks: Type.Array(Uuid, {
    description: "Whoever had the old key may know their secrets: each goes on when it has a new one.",
  }),
})
export type ResetApiKey = Type.Static<typeof ResetApiKey>

export const NewApiKeyBody = Type.Object(
  {
    name: Name,
    kind: Kind,
    username: Type.Optional(
      orNull(
        Type.String({
          minLength: 1,
          maxLength: LIMITS.emailCharacters,
          pattern: TEXT,
          description: "An API user of the business; one of its own is made unless given.",
        }),
      ),
    ),
  },
  closed,
)
export type NewApiKeyBody = Type.Static<typeof NewApiKeyBody>

export const ApiKeyNameBody = Type.Object({ name: Name }, closed)
export type ApiKeyNameBody = Type.Static<typeof ApiKeyNameBody>

export const readNewApiKey = ({ name, kind, username }: NewApiKeyBody): CreateKey => ({
  name: name.trim(),
  kind,
  username: username ?? null,
})

export const writeApiKey = (key: Model): ApiKey => ({
  id: key.id,
  name: key.name,
  username: key.username,
  kind: key.kind,
  hint: key.hint,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt.toISOString(),
  ...(key.lastUsedAt !== null && { last_used_at: key.lastUsedAt.toISOString() }),
  ...endOf(key),
  ...(key.claimableSince !== null && { reset_by_operator_at: key.claimableSince.toISOString() }),
  ...(key.createdBy !== null && { created_by: key.createdBy }),
})

/** A key is dead with its user, whichever went first. */
function endOf({ revokedAt, userRemovedAt }: Model): Pick<ApiKey, "revoked_at"> {
  const end = revokedAt ?? userRemovedAt
  return end === null ? {} : { revoked_at: end.toISOString() }
}

export const writeMadeKey = ({ key, secret }: MadeKey): ApiKeyWithSecret => ({
  ...writeApiKey(key),
  api_key: secret,
})

export const writeResetKey = (
  reset: MadeKey & { readonly stoppedWebhooks: readonly string[] },
): ResetApiKey => ({ ...writeMadeKey(reset), stopped_webhooks: [...reset.stoppedWebhooks] })
