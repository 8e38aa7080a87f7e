import { Refusal } from "@paraph/core/refusal"

/** The part of a JSON text that is held and parsed as a whole. */
export type JsonRest = {
  readonly length: () => number
  readonly append: (bytes: Uint8Array) => void
  /** The string that begins there and ends where the rest ends so far. */
  readonly stringFrom: (start: number) => unknown
  readonly parse: () => unknown
}

export function createJsonRest(maxBytes: number): JsonRest {
  // It grows by doubling: one piece of memory, however small the pieces are in which it comes.
  let held = Buffer.allocUnsafeSlow(Math.min(4096, maxBytes))
  let length = 0
  return {
    length: () => length,
    append(bytes) {
      const after = length + bytes.length
      if (after > maxBytes)
        throw new Refusal("body-too-large", `A body has at most ${maxBytes} bytes beside content.`)
      if (after > held.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, 2 * after))
        held.copy(larger, 0, 0, length)
        held = larger
      }
      held.set(bytes, length)
      length = after
    },
    // What is not UTF-8 is found when all of it is parsed; asking here would cost more than the string.
    stringFrom: (start) => parse(() => held.toString("utf8", start, length)),
    parse: () => parse(() => utf8.decode(held.subarray(0, length))),
  }
}

/** RFC 8259, 8.1: UTF-8, without a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function parse(text: () => string): unknown {
  try {
    return JSON.parse(text())
  } catch (cause) {
    throw notJson({ cause })
  }
}

export const notJson = (options?: ErrorOptions) =>
  new Refusal("constraint-violated", "The body is not valid JSON.", options)
