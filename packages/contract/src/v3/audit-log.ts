import type { AuditPage, AuditRow, ReadAudit } from "@paraph/core/business/audit-log"
import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { closed, DateTime } from "../shared/fields.ts"
import * as list from "../shared/list.ts"

const Change = (description: string) =>
  Type.Object(
    {},
    { additionalProperties: true, description: `${description}; its members depend on the act.` },
  )

/** An addition of ours: what was done to a business (ADR 0034). */
export const AuditEntry = Type.Object({
  id: Type.String(),
  at: DateTime,
  actor: Type.String({ description: "The e-mail address of who acted; `operator` where it is not known." }),
  act: Type.String(),
  target: Type.String({ description: "What was acted on: its kind, and its id or name." }),
  before: Type.Optional(Change("What it was")),
  after: Type.Optional(Change("What it became")),
})
export type AuditEntry = Type.Static<typeof AuditEntry>

const { page_size, cursor } = list.listMembers
export const AuditQuery = Type.Object({ page_size, cursor }, closed)
export type AuditQuery = Type.Static<typeof AuditQuery>

export const readAuditQuery = ({ page_size: size, cursor: place }: AuditQuery): ReadAudit => ({
  pageSize: size === undefined ? 50 : Number(size),
  olderThan: place === undefined ? null : readPlace(place),
})

/** RFC 8288: the address of the page with what is older; null on the last one. */
export function writeAuditLink(
  address: string,
  { pageSize }: ReadAudit,
  { entries, hasMore }: AuditPage,
): string | null {
  const last = entries.at(-1)
  if (!hasMore || last === undefined) return null
  const place = Buffer.from(`older than ${last.id}`).toString("base64url")
  return `<${address}?${new URLSearchParams({ page_size: String(pageSize), cursor: place })}>; rel="next"`
}

function readPlace(text: string): number {
  const [, id] = /^older than (\d{1,15})$/.exec(Buffer.from(text, "base64url").toString()) ?? []
  if (id === undefined) throw new Refusal("constraint-violated", "The cursor is none of ours.")
  return Number(id)
}

export const writeAuditEntry = (row: AuditRow): AuditEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  actor: row.by ?? "operator",
  act: row.act,
  target: row.target,
  ...(row.before !== null && { before: row.before }),
  ...(row.after !== null && { after: row.after }),
})
