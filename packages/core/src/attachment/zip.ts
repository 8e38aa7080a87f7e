import type { AttachmentType } from "./types.ts"

export type ZipNames = {
  readonly push: (piece: Uint8Array) => void
  /** What the archive says that it holds; null for one that is not whole, is encrypted, or holds very many. */
  readonly names: () => readonly string[] | null
}

/** APPNOTE 4.3.16: the directory stands at the end. A presentation of a thousand pages has some 300 KB of it. */
const TAIL_BYTES = 1 << 20
const END_BYTES = 22
const ENTRY_BYTES = 46
const MOST_COMMENT_BYTES = 0xffff

export function createZipNames(): ZipNames {
  let tail = new Uint8Array(0)
  let seen = 0
  let isOne = true
  return {
    push: (piece) => {
      if (seen === 0) isOne = piece.length === 0 || piece[0] === 0x50
      if (!isOne) return
      tail = grown(tail, Math.min(seen + piece.length, TAIL_BYTES))
      const last = piece.subarray(Math.max(0, piece.length - TAIL_BYTES))
      // It goes around: what is older than its length is written over.
      const at = (seen + piece.length - last.length) % TAIL_BYTES
      const room = TAIL_BYTES - at
      tail.set(last.subarray(0, room), at)
      tail.set(last.subarray(room), 0)
      seen += piece.length
    },
    names: () => namesIn(unrolled(tail, seen), Math.max(0, seen - TAIL_BYTES)),
  }
}

/** By doubling: most files are small. Nothing has gone around before it has its full length. */
function grown(tail: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  if (tail.length >= needed) return tail
  const larger = new Uint8Array(Math.min(TAIL_BYTES, Math.max(4096, 2 * needed)))
  larger.set(tail)
  return larger
}

function unrolled(tail: Uint8Array, seen: number): Uint8Array {
  if (seen <= TAIL_BYTES) return tail.subarray(0, seen)
  const at = seen % TAIL_BYTES
  const whole = new Uint8Array(TAIL_BYTES)
  whole.set(tail.subarray(at), 0)
  whole.set(tail.subarray(0, at), TAIL_BYTES - at)
  return whole
}

/** Strictly: one archive, from the first byte of the file to the last, so that every reader finds the same one. */
function namesIn(tail: Uint8Array, tailStart: number): readonly string[] | null {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  const end = endIn(view)
  if (end === null) return null
  const count = view.getUint16(end + 10, true)
  const start = end - view.getUint32(end + 12, true)
  if (start < 0 || view.getUint32(end + 16, true) !== tailStart + start) return null
  const names: string[] = []
  let at = start
  for (; at + ENTRY_BYTES <= end; ) {
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1
    if (view.getUint32(at, true) !== 0x02014b50 || isEncrypted) return null
    const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true)
    if (nameEnd > end) return null
    names.push(latin1(tail.subarray(at + ENTRY_BYTES, nameEnd)))
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return at === end && names.length === count ? names : null
}

function endIn(view: DataView): number | null {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= 0 && at >= last - MOST_COMMENT_BYTES; at--)
    if (view.getUint32(at, true) === 0x06054b50 && view.getUint16(at + 20, true) === last - at) return at
  return null
}

/** The names that we ask for are in ASCII. */
const latin1 = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** ECMA-376, part 2, and OpenDocument 1.3, part 2: the packages of documents, told apart by what every one of them must have. */
export function typesOfZip(head: Uint8Array, names: readonly string[] | null): readonly AttachmentType[] {
  if (names === null) return []
  const type = latin1(head.subarray(30))
  const odf = OPEN_DOCUMENT.find((each) => type.startsWith(`mimetype${each}PK`))
  if (odf !== undefined) return names[0] === "mimetype" && names.includes("content.xml") ? [odf] : []
  // A package with macros has another type, which is not taken.
  if (!names.includes("[Content_Types].xml") || names.some((name) => /vbaProject\.bin$/i.test(name)))
    return []
  const folders = OFFICE_FOLDERS.filter(([folder]) => names.some((name) => name.startsWith(folder)))
  const [only] = folders
  return folders.length === 1 && only !== undefined ? [only[1]] : []
}

const OPEN_DOCUMENT = [
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
] as const satisfies readonly AttachmentType[]

const OFFICE_FOLDERS = [
  ["word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
] as const satisfies readonly (readonly [string, AttachmentType])[]
