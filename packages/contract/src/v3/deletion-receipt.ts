import type { ListReceipts, Receipt as Model, ReceiptPage } from "@paraph/core/evidence/erase"
import { Type } from "typebox"
import { closed, DateTime, Uuid } from "../shared/fields.ts"
import * as list from "../shared/list.ts"

const ABOUT = {
  "signature-request": "SIGNATURE_REQUEST",
  seal: "SEAL",
  validation: "VALIDATION",
} as const satisfies Record<Model["about"], string>

const REASONS = { deleted: "DELETED", retention: "RETENTION" } as const satisfies Record<
  Model["reason"],
  string
>

/** An addition of ours: that something was erased (ADR 0055). */
export const DeletionReceipt = Type.Object({
  id: Uuid,
  erased_id: Type.String({ description: "The id of what was erased." }),
  erased_type: Type.Enum(Object.values(ABOUT)),
  erased_at: DateTime,
  reason: Type.Enum(Object.values(REASONS), {
    description: "DELETED: somebody deleted it. RETENTION: its time was over.",
  }),
  by: Type.String({
    description:
      "The id of the API key or of the person; `retention` where its time was over, `cascade` where it went with its request.",
  }),
  events: Type.Integer({ description: "How many events its story had." }),
})
export type DeletionReceipt = Type.Static<typeof DeletionReceipt>

/** The file that proves it, as `paraph-story/1` has it (packages/evidence). */
export const StoryFile = Type.Object(
  {
    format: Type.Literal("paraph-story/1"),
    request: Uuid,
    log: Type.Object({
      key: Type.String({ description: "Of the log, as tools for signed notes write it." }),
      checkpoint: Type.String({ description: "The signed head of the log that has all of it." }),
      stamp: Type.Union([Type.String(), Type.Null()], {
        description: "RFC 3161 over the checkpoint, in Base64.",
      }),
    }),
    events: Type.Array(
      Type.Object({
        index: Type.Integer(),
        salt: Type.String(),
        body: Type.String({ description: "Canonical JSON, as a text." }),
        path: Type.Array(Type.String(), { description: "The proof of inclusion, from the leaf upwards." }),
      }),
    ),
  },
  { description: "What `paraph verify` reads." },
)

const { page_number, page_size, cursor } = list.listMembers
export const ReceiptListQuery = Type.Object(
  { page_number, page_size, cursor, erased_id: Type.Optional(Uuid) },
  closed,
)
export type ReceiptListQuery = Type.Static<typeof ReceiptListQuery>

export function readReceiptList({ erased_id, ...paging }: ReceiptListQuery): ListReceipts {
  const { pageSize, from } = list.readPaging(paging)
  return { pageSize, from, storyId: erased_id?.toLowerCase() ?? null }
}

export function writeReceiptLinks(
  address: string,
  { pageSize, storyId }: ListReceipts,
  { receipts, hasNext, hasPrevious }: ReceiptPage,
): string | null {
  const filters: Readonly<Record<string, string>> = storyId === null ? {} : { erased_id: storyId }
  const entries = receipts.map(({ id, at }) => ({ id, createdAt: at }))
  return list.linksBeside(address, { pageSize, search: null, filters }, { entries, hasNext, hasPrevious })
}

export const writeReceipt = (receipt: Model): DeletionReceipt => ({
  id: receipt.id,
  erased_id: receipt.storyId,
  erased_type: ABOUT[receipt.about],
  erased_at: receipt.at.toISOString(),
  reason: REASONS[receipt.reason],
  by: receipt.by,
  events: receipt.events,
})
