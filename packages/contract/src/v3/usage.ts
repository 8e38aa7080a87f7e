import type { Counts as CountsModel, CountsOf, Usage as Model } from "@paraph/core/usage/model"
import type { AskedUsage } from "@paraph/core/usage/read"
import { Type } from "typebox"
import { closed, Day } from "../shared/fields.ts"

/** A documented addition: what a business has used, counted for good (ADR 0035). */

const Month = Type.String({
  pattern: "^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])$",
  description: "Such as 2026-11, in the time zone of the region.",
})
const Count = Type.Integer({ minimum: 0 })

export const Counts = Type.Object({
  requests: Type.Integer({ minimum: 0, description: "That were sent; drafts are not among them." }),
  documents: Type.Integer({ minimum: 0, description: "That were uploaded, or copied from a template." }),
  signatures: Type.Object({ SES: Count, AES: Count, AES_MINIMAL: Count, QES: Count }),
  declined: Count,
  mails: Type.Integer({ minimum: 0, description: "That a mail server took." }),
  seals: Type.Integer({ minimum: 0, description: "Company seals that were made." }),
})
export type Counts = Type.Static<typeof Counts>

const ofKinds = { demo: Counts, production: Counts }

export const UsageOfMonth = Type.Object({ month: Month, ...ofKinds })
export const UsageOfDay = Type.Object({ day: Day, ...ofKinds })

export const Usage = Type.Object({
  months: Type.Array(UsageOfMonth),
  days: Type.Array(UsageOfDay, { description: "The last 31, whatever was asked for." }),
})
export type Usage = Type.Static<typeof Usage>

export const UsageQuery = Type.Object({ from: Type.Optional(Month), to: Type.Optional(Month) }, closed)
export type UsageQuery = Type.Static<typeof UsageQuery>

export const readUsage = ({ from, to }: UsageQuery): AskedUsage => ({ from: from ?? null, to: to ?? null })

export const writeUsage = ({ months, days }: Model): Usage => ({
  months: months.map(({ month, ...of }) => ({ month, ...writeKinds(of) })),
  days: days.map(({ day, ...of }) => ({ day, ...writeKinds(of) })),
})

const writeKinds = ({ demo, production }: CountsOf) => ({
  demo: writeCounts(demo),
  production: writeCounts(production),
})

const writeCounts = ({ requests, documents, signatures, declined, mails, seals }: CountsModel): Counts => ({
  requests,
  documents,
  signatures: { ...signatures },
  declined,
  mails,
  seals,
})
