import type { ChangeAccess } from "@paraph/core/document/access"
import type { CreateDocument } from "@paraph/core/document/create"
import type { Watermark } from "@paraph/core/document/model"
import type { Held } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import { Type } from "typebox"
import { AccessList, TEXT, Title, Url, Uuid } from "./fields.ts"

/** What is sent about documents. A version makes its schemas of these members; the readers are the same in all. */

/** Part 4.2: `title`, and either `content` (with `content_type`) or `file_url`, not both. */
export const createMembers = {
  title: Title,
  content: Type.Optional(Type.String({ description: "Base64 of the PDF" })),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  file_url: Type.Optional(Url),
  flatten: Type.Optional(
    Type.Boolean({
      description:
        "Removes what would be refused because it shows differently on screen, in print or after a click, and keeps what is printed.",
    }),
  ),
}
type CreateBody = Members<typeof createMembers>

/** Decisions, "document access": what is absent stays as it is. */
export const accessMembers = {
  read_access: Type.Optional(AccessList),
  write_access: Type.Optional(AccessList),
}
type AccessBody = Members<typeof accessMembers>

export const watermarkMembers = {
  text: Type.String({ minLength: 1, maxLength: 200, pattern: TEXT }),
  opacity: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  rotation: Type.Optional(
    Type.Number({ minimum: -360, maximum: 360, description: "Degrees against the clock." }),
  ),
  pages: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 9_999_999 }), {
      maxItems: 10_000,
      description: "Counted from 0; all of them unless given.",
    }),
  ),
}
type WatermarkBody = Members<typeof watermarkMembers>

export const pageParamsMembers = {
  id: Uuid,
  n: Type.String({ pattern: "^(?:0|[1-9][0-9]{0,6})$", description: "Counted from 0." }),
}
type PageParams = Members<typeof pageParamsMembers>

export const pageQueryMembers = { scale: Type.Optional(Type.Enum(["20", "100"])) }
type PageQuery = Members<typeof pageQueryMembers>

type Members<T extends Type.TProperties> = Type.Static<Type.TObject<T>>

/** The bytes do not come through the body: they are held already when the rest of it is read. */
export const readCreate = (body: CreateBody, received: Held | null): CreateDocument => ({
  title: body.title,
  source: readSource(body, received),
  flatten: body.flatten ?? false,
})

export function readSource(
  body: Pick<CreateBody, "content_type" | "file_url">,
  received: Held | null,
): CreateDocument["source"] {
  const { content_type: contentType, file_url: url } = body
  // Choice 5: `content_type` may be left out, since documents are PDF only.
  if (received !== null && url === undefined)
    return { type: "content", content: received, contentType: contentType ?? "application/pdf" }
  if (received === null && url !== undefined) return { type: "file-url", url }
  throw new Refusal("constraint-violated", "Exactly one of content and file_url is needed.")
}

export function readAccess({ read_access: readers, write_access: writers }: AccessBody): ChangeAccess {
  if (readers === undefined && writers === undefined)
    throw new Refusal("constraint-violated", "At least one of read_access and write_access is needed.")
  return {
    ...(readers !== undefined && { readAccess: readers }),
    ...(writers !== undefined && { writeAccess: writers }),
  }
}

export const readWatermark = ({ text, opacity, rotation, pages }: WatermarkBody): Watermark => ({
  text,
  ...(opacity !== undefined && { opacity }),
  ...(rotation !== undefined && { rotation }),
  ...(pages !== undefined && { pages }),
})

/** Decisions, "previews". */
export type AskedPage = { readonly id: string; readonly page: number; readonly scale: 20 | 100 }

export const readPage = ({ id, n }: PageParams, { scale }: PageQuery): AskedPage => ({
  id,
  page: Number(n),
  scale: scale === "20" ? 20 : 100,
})
