import { Readable } from "node:stream"
import type { Document } from "@paraph/core/document/model"
import type { ByteRange, Bytes, ReadContent, StoredBytes } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import { contentDisposition, FILE_POLICY } from "../file-name.ts"
import { accepted } from "./accept.ts"
import { rangeOf } from "./range.ts"
import { untilOver } from "./reads-under-way.ts"

type ContentParts = { readonly readContent: ReadContent }

/** Decisions, "documents": the bytes, or JSON around them, as Accept says; otherwise 406. */
export function sendContent(
  parts: ContentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
) {
  const type = accepted(request, reply, ["application/pdf", "application/json"])
  const form = type === "application/pdf" ? sendPdf : sendJson
  return form(parts, request, reply, document)
}

/** What `sendContent` answers, to be described; `json` is the version's schema of the form that is asked for by Accept. */
export const contentAnswers = (json: Type.TSchema) => ({
  200: { content: { "application/pdf": { schema: Type.Any() }, "application/json": { schema: json } } },
  206: { content: { "application/pdf": { schema: Type.Any() } } },
  304: Type.Null(),
})

/** Streams a PDF out, named after its title, and never lets a browser run it in our name (security, R24). */
export const sendPdf = (
  parts: ContentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
) => sendFile(parts, request, reply, document, contentDisposition(document.title, "attachment"))

type StoredFile = StoredBytes & { readonly contentType: string; readonly sha256: string }

/** Any file, as bytes: never to be shown in our name, whatever is in it. */
export async function sendFile(
  parts: ContentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  disposition: string,
) {
  const { sizeBytes, sha256 } = file
  const etag = `"${sha256}"`
  reply
    .type(file.contentType)
    .header("etag", etag)
    .header("accept-ranges", "bytes")
    .header("content-disposition", disposition)
    .header("content-security-policy", FILE_POLICY)
    .header("cache-control", "private, no-store")
  if (isKnown(request, etag)) return reply.code(304).send()
  const range = rangeOf(request.headers, etag, sizeBytes)
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${sizeBytes}`)
    throw new Refusal("range-not-satisfiable", `The document has ${sizeBytes} bytes.`)
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  if (range !== null) reply.code(206).header("content-range", `bytes ${start}-${end - 1}/${sizeBytes}`)
  reply.header("content-length", end - start)
  return send(parts, request, reply, file, { start, end }, (bytes) => bytes)
}

function sendJson(parts: ContentParts, request: FastifyRequest, reply: FastifyReply, document: Document) {
  const { contentType, sizeBytes } = document
  const before = `{"content_type":"${contentType}","content_size":${sizeBytes},"content":"`
  const length = before.length + Math.ceil(sizeBytes / 3) * 4 + 2
  reply.type("application/json; charset=utf-8").header("content-length", length)
  return send(parts, request, reply, document, { start: 0, end: sizeBytes }, (bytes) => inJson(before, bytes))
}

/** The first bytes are there before the answer begins: until then a store that is down can be told as a 503. */
async function send(
  parts: ContentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredBytes,
  range: ByteRange,
  form: (bytes: Bytes) => Bytes,
) {
  // A stream without bytes: for anything less Fastify would say that the length is 0.
  if (request.method === "HEAD") return reply.send(Readable.from([]))
  const bytes = parts.readContent(file, range)[Symbol.asyncIterator]()
  const first = await bytes.next()
  const content = Readable.from(form(after(first, bytes)), { objectMode: false })
  // Also where not one piece was asked of it, and so nothing in `after` has begun that could end.
  content.once("close", () => void bytes.return?.().catch(() => undefined))
  return reply.send(untilOver(content, request, reply))
}

async function* after(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>) {
  try {
    for (let piece = first; piece.done !== true; piece = await rest.next()) yield piece.value
  } finally {
    await rest.return?.()
  }
}

/** RFC 9110, 13.1.2: a weak comparison with each of the list. */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = (headers["if-none-match"] ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""))
  return known.includes(etag) || known.includes("*")
}

/** Base64 of a stream: three bytes are four letters, so what does not come out even waits for the next piece. */
async function* inJson(before: string, bytes: Bytes) {
  yield Buffer.from(before)
  let left: Uint8Array = new Uint8Array()
  for await (const piece of bytes) {
    const whole = left.length === 0 ? Buffer.from(piece) : Buffer.concat([left, piece])
    const even = whole.length - (whole.length % 3)
    yield Buffer.from(whole.toString("base64", 0, even), "latin1")
    left = whole.subarray(even)
  }
  yield Buffer.from(`${Buffer.from(left).toString("base64")}"}`)
}
