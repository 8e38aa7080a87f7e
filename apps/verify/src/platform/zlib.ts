// What stands for node:zlib in the page: `inflateSync`, bounded, over pako.

import { Inflate } from "pako"

const CHUNK_BYTES = 65_536

class TooLarge extends RangeError {
  readonly code = "ERR_BUFFER_TOO_LARGE"
}

/** RFC 1950. Stops as soon as more comes out than is allowed, and wants the stream to end and its sum to be right, as Node does. */
export function inflateSync(
  data: Uint8Array,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Buffer {
  const parts: Uint8Array[] = []
  let length = 0
  const inflate = new Inflate({ chunkSize: CHUNK_BYTES, windowBits: 15 })
  inflate.onData = (chunk) => {
    length += chunk.length
    if (length > maxOutputLength) throw new TooLarge("Cannot create a Buffer larger than allowed.")
    parts.push(chunk as Uint8Array)
  }
  inflate.push(data, true)
  if (inflate.err !== 0 || !inflate.ended) throw new Error("unexpected end of file")
  return Buffer.concat(parts)
}
