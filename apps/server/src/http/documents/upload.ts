import type { Bytes, Held } from "@paraph/core/document/ports"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal, type RefusalCode } from "@paraph/core/refusal"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { DOCUMENT_BYTES, type MostBytes } from "../../intake/hold-body.ts"
import type { BodyForm } from "../../intake/messages.ts"
import type { Parts } from "../../parts.ts"
import { arriving } from "./arriving.ts"
import { readMultipart } from "./multipart.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** The document that came with the body: sealed while it arrived, and let go of when there is an answer. */
    received: Held | null
  }
}

type UploadParts = Pick<Parts, "holdBody">
type Payload = FastifyRequest["raw"]
type BodyType = "json" | "multipart" | "pdf"

/** From here on in this scope a body may be, or hold, a document. No body is ever held whole (DOC-05). */
export function takesUploads(
  app: FastifyInstance,
  parts: UploadParts,
  types: readonly BodyType[],
  what: Upload = DOCUMENT,
): void {
  app.decorateRequest("received", null)
  // Before the answer is sent, which is also done, in vain, where the caller has gone; the end of an answer never comes then.
  app.addHook("onSend", async (request) => {
    await request.received?.release()
  })
  app.removeAllContentTypeParsers()
  for (const type of types)
    app.addContentTypeParser(MEDIA_TYPES[type], (request: FastifyRequest, payload: Payload) =>
      READERS[type](parts, request, payload, what).catch((error: unknown) => {
        // Whoever counts the bytes knows of documents alone.
        if (!(error instanceof Refusal) || error.code !== "pdf-too-large") throw error
        throw new Refusal(what.tooLarge, `At most ${what.maxBytes} bytes are taken here.`, { cause: error })
      }),
    )
}

const MEDIA_TYPES: Readonly<Record<BodyType, string>> = {
  json: "application/json",
  multipart: "multipart/form-data",
  pdf: "application/pdf",
}

/** What a body holds here: how much of it, and how one is refused that is more. */
export type Upload = MostBytes & {
  readonly tooLarge: RefusalCode
  /** Of the whole body, where that has a limit of its own. */
  readonly maxBodyBytes?: number
}
const DOCUMENT: Upload = { ...DOCUMENT_BYTES, tooLarge: "pdf-too-large" }

type BodyReader = (
  parts: UploadParts,
  request: FastifyRequest,
  payload: Payload,
  what: Upload,
) => Promise<unknown>

const READERS: Readonly<Record<BodyType, BodyReader>> = {
  /** The interface's own form: the one long string is taken out of the JSON while it arrives. */
  json: async (parts, request, payload, what) => {
    // Some clients write each slash as two characters; what it comes to is known while it arrives.
    const body = arriving(request, payload, what.maxBodyBytes ?? 2 * what.maxBase64Bytes + LIMITS.jsonBytes)
    return hold(parts, request, "json", body, what)
  },
  /** An addition of ours: a form with the file `content` and the field `title`. */
  multipart: async (parts, request, payload, what) => {
    const body = arriving(request, payload, what.maxBodyBytes ?? what.maxBytes + LIMITS.jsonBytes)
    const { fields, contentType } = await readMultipart(request.headers, body, (bytes) =>
      hold(parts, request, "bytes", bytes, what),
    )
    return {
      ...withBooleans(fields),
      ...(contentType !== null && { content: "", content_type: contentType }),
    }
  },
  /** An addition of ours: the very bytes, and the title in the address. */
  pdf: async (parts, request, payload, what) => {
    await hold(parts, request, "bytes", arriving(request, payload, what.maxBytes), what)
    return { ...withBooleans(request.query as object), content: "", content_type: "application/pdf" }
  },
}

/** A form and an address have texts alone; what is neither is refused by the schema. */
const withBooleans = (fields: object): object =>
  "flatten" in fields && (fields.flatten === "true" || fields.flatten === "false")
    ? { ...fields, flatten: fields.flatten === "true" }
    : fields

/** Answers what else a JSON body said. */
async function hold(
  parts: UploadParts,
  request: FastifyRequest,
  form: BodyForm,
  bytes: Bytes,
  what: MostBytes,
): Promise<unknown> {
  if (request.received !== null) throw new Refusal("constraint-violated", "There is more than one document.")
  const { caller } = request
  const end = uploads.begin(ownerOf(caller))
  if (end === "owner") throw new Refusal("rate-limited", "Too many uploads at a time.", RETRY)
  if (end === "total") throw new Refusal("part-down", "Too many uploads at a time.", RETRY)
  try {
    const length = request.headers["content-length"]
    const bodyBytes = length === undefined ? undefined : Number(length)
    const { held, body } = await parts.holdBody(caller, form, bytes, bodyBytes, what)
    request.received = held
    return body
  } finally {
    end()
  }
}

/** Each has a file, and a place in every queue behind it: one caller with many slow ones takes none from the others. */
const uploads = createInFlightLimiter({ perOwner: 32, total: 256 })
const RETRY = { retryAfterSeconds: 5 }
