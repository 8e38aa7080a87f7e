// Files that go along with a request: the type that is sniffed does not depend on how the bytes are cut, and text is what
// a strict decoder reads.

import { createSniffer } from "@paraph/core/attachment/sniff"
import { Refusal } from "@paraph/core/refusal"
import { SAMPLES, UNSUPPORTED } from "@paraph/core/testing/office-files"
import { must, type Target } from "../target.ts"

export const attachments: Target = {
  name: "attachment",
  kind: "bytes",
  seeds: () => [...Object.values(SAMPLES), ...Object.values(UNSUPPORTED).map(([, bytes]) => bytes)],
  refusals: [Refusal],
  run: (input) => {
    const types = sniffed(input, [input.length])
    for (const sizes of [[1], [2, 3, 5], [...input.subarray(0, 40)].map((byte) => 1 + (byte % 37))])
      must(sniffed(input, sizes).join() === types.join(), "the type does not depend on the pieces")
    must(types.includes("text/plain") === isText(input), "text is what a strict decoder reads")
    if (types.length === 0) throw new Refusal("attachment-unsupported", "It is nothing that is taken.")
    return types.join()
  },
}

function sniffed(input: Uint8Array, sizes: readonly number[]): readonly string[] {
  const sniffer = createSniffer()
  for (let at = 0, n = 0; at < input.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1)
    sniffer.push(input.subarray(at, at + size))
    at += size
  }
  return sniffer.end()
}

const MARKS = /^(?:%PDF-|GIF8[79]a)/
const CONTROL = /(?![\t\n\f\r])\p{Cc}/u

function isText(input: Uint8Array): boolean {
  if (input.length === 0) return false
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input)
    return !CONTROL.test(text) && !MARKS.test(text)
  } catch {
    return false
  }
}
