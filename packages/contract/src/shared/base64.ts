import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"

/** RFC 4648, 4, and nothing else: Node skips what it does not know, so the length tells whether it skipped. */
export function fromBase64(content: string): Uint8Array {
  if (content.length > LIMITS.documentBase64Bytes)
    throw new Refusal("pdf-too-large", `Base64 has at most ${LIMITS.documentBase64Bytes} bytes.`)
  const padding = content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0
  const bytes = Buffer.from(content, "base64")
  // Node takes the URL alphabet too, and reads letters beyond Latin-1 by their low byte.
  const foreign =
    content.includes("-") || content.includes("_") || Buffer.byteLength(content) !== content.length
  if (content.length % 4 !== 0 || bytes.length !== (content.length / 4) * 3 - padding || foreign)
    throw new Refusal("constraint-violated", "content is not Base64.")
  return bytes
}
