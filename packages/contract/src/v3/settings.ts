import { FEATURES, MEMBER_SECOND_FACTORS } from "@paraph/core/business/model"
import type { ChangedSettings, AgreedSettings as Model } from "@paraph/core/business/settings"
import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"
import { closed, orNull, Quality, TEXT } from "../shared/fields.ts"

/** A documented addition: what a business says of itself, beside what the operator has agreed with it (ADR 0035). */

const RetentionDays = orNull(
  Type.Integer({
    minimum: 1,
    maximum: LIMITS.retentionDays,
    description: "Days after which a request is deleted, of those that are made from now on; null: never.",
  }),
)
const Origins = Type.Array(Type.String({ maxLength: LIMITS.urlCharacters, pattern: TEXT }), {
  maxItems: LIMITS.originsPerList,
})
const Accent = orNull(
  Type.String({
    pattern: "^#[0-9a-fA-F]{6}$",
    description: "Its contrast with white is at least 4.5:1; null: ours.",
  }),
)
const SenderName = orNull(
  Type.String({
    minLength: 1,
    maxLength: LIMITS.senderNameCharacters,
    pattern: TEXT,
    description: "Whom mails come from; null: the name of the business.",
  }),
)

const MemberSecondFactor = Type.Enum([...MEMBER_SECOND_FACTORS], {
  description:
    "Whether members log in with a passkey or an authenticator app. REQUIRED_OR_PROVIDER: a second factor that the identity provider of the business states counts too.",
})

export const Branding = Type.Object({
  accent: Accent,
  logo: Type.Boolean(),
  sender_name: SenderName,
  sender_name_state: Type.Enum(["PENDING", "CONFIRMED"], {
    description:
      "A name that is not that of the business is used once the operator has confirmed it; until then mails come from the name of the business.",
  }),
})

export const Settings = Type.Object({
  name: Type.String(),
  features: Type.Array(Type.Enum([...FEATURES])),
  retention_days: RetentionDays,
  default_quality: Quality,
  key_lifetime_days: Type.Integer(),
  exit_origins: Origins,
  embed_origins: Origins,
  branding: Branding,
  member_second_factor: MemberSecondFactor,
  sso: Type.Boolean({ description: "Whether people log in by a provider of the business." }),
})
export type Settings = Type.Static<typeof Settings>

const ChangedBranding = Type.Object(
  { accent: Type.Optional(Accent), sender_name: Type.Optional(SenderName) },
  closed,
)

/** What is absent stays as it is; features and the lifetime of keys are the operator's. */
export const SettingsBody = Type.Object(
  {
    retention_days: Type.Optional(RetentionDays),
    default_quality: Type.Optional(Quality),
    exit_origins: Type.Optional(Origins),
    embed_origins: Type.Optional(Origins),
    branding: Type.Optional(ChangedBranding),
    member_second_factor: Type.Optional(MemberSecondFactor),
  },
  closed,
)
export type SettingsBody = Type.Static<typeof SettingsBody>

export const readSettings = (body: SettingsBody): Omit<ChangedSettings, "keyLifetimeDays"> => ({
  ...(body.retention_days !== undefined && { retentionDays: body.retention_days }),
  ...(body.default_quality !== undefined && { defaultQuality: body.default_quality }),
  ...(body.exit_origins !== undefined && { exitOrigins: body.exit_origins }),
  ...(body.embed_origins !== undefined && { embedOrigins: body.embed_origins }),
  ...(body.member_second_factor !== undefined && { memberSecondFactor: body.member_second_factor }),
  ...(body.branding?.accent !== undefined && { accent: body.branding.accent }),
  ...(body.branding?.sender_name !== undefined && { senderName: body.branding.sender_name }),
})

export const writeSettings = (settings: Model): Settings => ({
  name: settings.name,
  features: [...settings.features],
  retention_days: settings.retentionDays,
  default_quality: settings.defaultQuality,
  key_lifetime_days: settings.keyLifetimeDays,
  exit_origins: [...settings.exitOrigins],
  embed_origins: [...settings.embedOrigins],
  branding: {
    accent: settings.branding.accent,
    logo: settings.branding.logoId !== null,
    sender_name: settings.branding.senderName,
    sender_name_state: settings.branding.senderNameState,
  },
  member_second_factor: settings.memberSecondFactor,
  sso: settings.singleSignOn,
})
