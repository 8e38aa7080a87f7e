import type { components } from "./v3.d.ts"

type Schemas = components["schemas"]

export type SignatureRequest = Schemas["SignatureRequest"]
export type Signature = Schemas["Signature"]
export type NewSignature = Schemas["NewSignature"]
export type Document = Schemas["Document"]
export type Position = Schemas["Position"]
export type VisualSignature = Schemas["VisualSignature"]
export type Status = SignatureRequest["status_overall"]
export type Quality = SignatureRequest["quality"]
export type Observer = Schemas["Observer"]
export type Callback = Schemas["Callback"]
export type Webhook = Schemas["Webhook"]
export type WebhookWithSecret = Schemas["WebhookWithSecret"]
export type JournalEvent = Schemas["Event"]
export type Group = Schemas["Group"]
