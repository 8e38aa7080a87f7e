import { Refusal } from "@paraph/core/refusal"
import { type Base64Limits, createBase64Decoder } from "./base64-stream.ts"
import { createJsonOutline } from "./json-outline.ts"
import { createJsonRest } from "./json-rest.ts"

export type ScannerLimits = Base64Limits & {
  /** Of everything in the body but the characters of `content`, white space included. */
  readonly maxOtherBytes: number
}

export type ScannedBody = {
  /** The body with an empty string in place of `content`, to be held against a schema. */
  readonly body: unknown
  /** Whether there was a string named `content`, however short. */
  readonly hadContent: boolean
}

export type ContentScanner = {
  /** The bytes that are known of `content` since the last chunk; none where there are none. They are the taker's. */
  readonly push: (chunk: Uint8Array) => Uint8Array
  readonly end: () => ScannedBody
}

/**
 * Reads a JSON body while it arrives and takes the one long string out of it, `content` of the outermost object, without
 * ever holding it (R09, DOC-05). Everything else is held and is JSON as `JSON.parse` reads it. A `content` that is no
 * string, or that stands deeper, is left where it is.
 */
export function createContentScanner(limits: ScannerLimits): ContentScanner {
  const rest = createJsonRest(limits.maxOtherBytes)
  const outline = createJsonOutline("content", rest)
  const decoder = createBase64Decoder(limits)
  let hadContent = false

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let decoded: Uint8Array = NOTHING
      let at = outline.inside() ? 0 : outline.read(bytes, 0)
      // A name is given once, so there is one `content` and at most one piece of it in a chunk.
      if (outline.inside()) {
        hadContent = true
        const quote = bytes.indexOf(QUOTE, at)
        const end = quote < 0 ? bytes.length : quote
        decoded = decoder.push(bytes.subarray(at, end))
        at = end
        if (quote >= 0) {
          decoder.end()
          outline.read(bytes, at)
        }
      }
      return decoded
    },
    end() {
      const body = rest.parse()
      if (isPoisoned(body))
        throw new Refusal("constraint-violated", "The body has a member that is not allowed.")
      return { body, hadContent }
    },
  }
}

const QUOTE = 0x22
const NOTHING = new Uint8Array()

/** A member that a careless copy would make the prototype of something; Fastify's own parser refuses the same. */
function isPoisoned(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if (Object.hasOwn(value, "__proto__")) return true
  if (Object.hasOwn(value, "constructor") && hasPrototype(value.constructor)) return true
  return Object.values(value).some(isPoisoned)
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype")
}
