import { createOfficeNames } from "./compound-file.ts"
import { createTextCheck } from "./text.ts"
import type { AttachmentType } from "./types.ts"
import { createZipNames, typesOfZip } from "./zip.ts"

export type Sniffer = {
  readonly push: (piece: Uint8Array) => void
  /** What the bytes can rightly be called; none for what is not taken. */
  readonly end: () => readonly AttachmentType[]
}

/** Enough for the longest mark of a type: the `mimetype` of an OpenDocument file, with its name before it. */
const HEAD_BYTES = 128

/** Looks at every byte once, while they go by, and holds little of them. What the sender calls them does not matter here. */
export function createSniffer(): Sniffer {
  const head = new Uint8Array(HEAD_BYTES)
  let seen = 0
  const text = createTextCheck()
  const zip = createZipNames()
  const office = createOfficeNames()
  return {
    push: (piece) => {
      const missing = HEAD_BYTES - seen
      if (missing > 0) head.set(piece.subarray(0, missing), seen)
      const began = seen
      seen += piece.length
      // Each of them stops by itself at the first byte that does not fit.
      text.push(piece)
      zip.push(piece)
      office.push(piece, began)
    },
    end: () => {
      const first = head.subarray(0, Math.min(seen, HEAD_BYTES))
      const type = MARKS.find(([, mark]) => beginsWith(first, mark))?.[0]
      if (type !== undefined) return [type]
      if (beginsWith(first, ZIP)) return typesOfZip(first, zip.names())
      if (beginsWith(first, COMPOUND_FILE)) return office.types()
      return seen > 0 && text.isText() ? ["text/plain", "text/csv"] : []
    },
  }
}

const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))

const MARKS: readonly (readonly [AttachmentType, readonly number[]])[] = [
  ["application/pdf", ascii("%PDF-")],
  ["image/gif", ascii("GIF87a")],
  ["image/gif", ascii("GIF89a")],
  ["image/png", [0x89, ...ascii("PNG"), 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
]
const ZIP = [...ascii("PK"), 3, 4]
/** [MS-CFB], 2.2. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const beginsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte)
