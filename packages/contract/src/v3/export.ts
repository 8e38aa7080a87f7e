import type { BegunExport } from "@paraph/core/business/export"
import type { ExportCursor } from "@paraph/core/business/walk-export"
import { Refusal } from "@paraph/core/refusal"
import { isUuid } from "@paraph/core/uuid"
import { Type } from "typebox"
import { closed } from "../shared/fields.ts"

/** An addition of ours: all that a business has (ADR 0055). */
export const ExportQuery = Type.Object(
  { cursor: Type.Optional(Type.String({ maxLength: 512, description: "From a Link header; opaque." })) },
  closed,
)
export type ExportQuery = Type.Static<typeof ExportQuery>

const PLACE = /^after (request|document|receipt) (\d{4}-\d{2}-\d{2}T[\d:.]+Z) ([0-9a-f-]{36})$/

export function readExportQuery({ cursor }: ExportQuery): ExportCursor | null {
  if (cursor === undefined) return null
  const [, of, at = "", id = ""] = PLACE.exec(Buffer.from(cursor, "base64url").toString()) ?? []
  const createdAt = new Date(at)
  if (Number.isNaN(createdAt.getTime()) || !isUuid(id))
    throw new Refusal("constraint-violated", "The cursor is none of ours.")
  return { of: of as ExportCursor["of"], createdAt, id }
}

/** RFC 8288: the address of the next archive; null for the last one. */
export function writeExportLink(address: string, { next }: Pick<BegunExport, "next">): string | null {
  if (next === null) return null
  const cursor = Buffer.from(`after ${next.of} ${next.createdAt.toISOString()} ${next.id}`).toString(
    "base64url",
  )
  return `<${address}?${new URLSearchParams({ cursor })}>; rel="next"`
}

export const nameOf = ({ business, at }: Pick<BegunExport, "business" | "at">): string =>
  `${business} ${at.toISOString().slice(0, 10)}`
