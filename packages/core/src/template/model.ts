import type { Language } from "../language.ts"
import type { AttachOnSuccess, Kind, Legislation, Position, Quality } from "../signature-request/model.ts"

/** A request that is sent often (ADR 0035). Of the kind of the key or the login that made it, as its documents are. */
export type Template = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  readonly name: string
  readonly request: TemplateRequest
  /** They stay as long as the template does, and whoever uses it may use them. */
  readonly documentIds: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type TemplateRequest = {
  /** Null: the name of the template. */
  readonly title: string | null
  readonly message: string | null
  /** Null: the business's own, as it is when the template is used. */
  readonly quality: Quality | null
  readonly legislation: Legislation | null
  readonly signers: readonly TemplateSigner[]
  readonly ccEmailAddresses: readonly string[]
  readonly attachOnSuccess: readonly AttachOnSuccess[]
  readonly expiresInDays: number | null
}

export type TemplateSigner = {
  /** What part somebody has in it, such as "Tenant"; by this name they are called when the template is used. */
  readonly label: string
  /** Null: said when the template is used. */
  readonly email: string | null
  readonly place: number | null
  readonly notify: boolean
  readonly language: Language
  readonly places: readonly TemplatePlace[]
}

/** `document` counts the documents of the template from 0. */
export type TemplatePlace = { readonly document: number; readonly position: Position }

export type NewTemplate = {
  readonly name: string
  readonly request: TemplateRequest
  readonly documentIds: readonly string[]
}

export type UseTemplate = {
  readonly title: string | null
  readonly message: string | null
  readonly signers: readonly NamedSigner[]
  /** Instead of those of the template; null: those. */
  readonly documentIds: readonly string[] | null
  readonly initiate: boolean
}

/** Who has the part of that label this time; what is null is as the template says. */
export type NamedSigner = {
  readonly label: string
  readonly email: string | null
  readonly notify: boolean | null
  readonly language: Language | null
}
