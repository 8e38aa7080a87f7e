// Refuses decompression bombs before anything else reads the file. A malware scanner decodes every stream that it finds, so its time
// grows with the decoded bytes and not with those of the upload: 2 kB can be 1 GB.

import { createInflate } from "node:zlib"
import { FILTERS } from "../conditional/decode-content.ts"
import { PdfRefused } from "../refused.ts"
import { asSource, type Source } from "../source.ts"
import { type RawStream, rawStreams } from "./raw-streams.ts"

/** Several times what the largest of ordinary files decode to, in proportion to their size. */
const FIRST_BYTES = 20_000_000
const PER_BYTE = 100
const MOST_BYTES = 400_000_000
/** A stream is decoded in memory. */
const MOST_STREAM_BYTES = 200_000_000

/**
 * Throws `PdfRefused` where the streams decode to more than the budget for a file of this size. The output of every filter of a chain
 * counts. Images are left out: scanners do not decode them, and their pixels have a limit of their own.
 */
export async function refuseBombs(file: Uint8Array | Source): Promise<void> {
  const source = asSource(file)
  const budget = Math.min(MOST_BYTES, FIRST_BYTES + PER_BYTE * source.length)
  let left = budget
  for (const stream of rawStreams(source)) {
    if (stream.isImage || !stream.filters.some((name) => FILTERS.has(name))) continue
    left -= await decodedBytes(source, stream, Math.min(left, MOST_STREAM_BYTES))
    if (left < 0)
      throw new PdfRefused(
        "too-complex",
        `The compressed streams of the PDF decode to more than ${Math.floor(budget / 1e6)} MB, or one of them to more than ${MOST_STREAM_BYTES / 1e6} MB.`,
      )
  }
}

/** Of all filters together; infinite where that is more than `most`. */
async function decodedBytes(
  source: Source,
  { filters, start, end }: RawStream,
  most: number,
): Promise<number> {
  if (end - start > most) return Number.POSITIVE_INFINITY
  let data = source.read(start, end)
  let count = 0
  for (const name of filters) {
    const decode = FILTERS.get(name)
    // An image or encrypted data, which is no input for another filter that counts.
    if (decode === undefined) break
    const left = Math.max(1, most - count)
    try {
      data = decode(data, left, true)
    } catch (error) {
      if (isTooLarge(error)) return Number.POSITIVE_INFINITY
      // Scanners take what was decoded before the fault.
      data = name === "FlateDecode" ? await inflatedSoFar(data, left) : new Uint8Array()
    }
    count += data.length
  }
  // An empty deflated block takes its time and decodes to nothing.
  return count > most ? Number.POSITIVE_INFINITY : Math.max(count, end - start)
}

function inflatedSoFar(data: Uint8Array, most: number): Promise<Uint8Array> {
  const inflate = createInflate({ chunkSize: 65_536 })
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  const pieces: Uint8Array[] = []
  let length = 0
  const end = () => {
    inflate.destroy()
    resolve(Buffer.concat(pieces, length))
  }
  inflate.on("data", (piece: Uint8Array) => {
    pieces.push(piece)
    length += piece.length
    if (length > most) end()
  })
  inflate.once("error", end).once("end", end)
  inflate.end(data)
  return promise
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_BUFFER_TOO_LARGE" || error.code === "too-complex")
