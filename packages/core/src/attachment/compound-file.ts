import type { AttachmentType } from "./types.ts"

export type OfficeNames = {
  /** `at`: how many bytes came before this piece. */
  readonly push: (piece: Uint8Array, at: number) => void
  readonly types: () => readonly AttachmentType[]
}

/** [MS-CFB], 2.6: an entry of the directory is 128 bytes, and stands at a multiple of that, wherever the directory is. */
const ENTRY_BYTES = 128
const NAME_LENGTH_AT = 64
const TYPE_AT = 66
const STREAM = 2

/** The streams that make such a file what it is: [MS-DOC], [MS-XLS] (and the older book), [MS-PPT]. */
const STREAMS: Readonly<Record<string, AttachmentType>> = {
  WordDocument: "application/msword",
  Workbook: "application/vnd.ms-excel",
  Book: "application/vnd.ms-excel",
  "PowerPoint Document": "application/vnd.ms-powerpoint",
}
/** [MS-OVBA], 2.3.4.1: where there are macros there is this. */
const MACROS = "_VBA_PROJECT"
const LONGEST = 2 * ("PowerPoint Document".length + 1)

/**
 * The older Office formats are told apart by names in a directory whose place is known last. So every place where one of
 * its entries can be is looked at. A file within the file has its names in the same directory: then both are answered.
 */
export function createOfficeNames(): OfficeNames {
  const found = new Set<string>()
  const entry = new Uint8Array(ENTRY_BYTES)
  let isOne = true
  const look = (bytes: Uint8Array): void => {
    const name = nameIn(bytes)
    if (name === MACROS || Object.hasOwn(STREAMS, name)) found.add(name)
  }
  return {
    push: (piece, at) => {
      if (at === 0) isOne = piece[0] === 0xd0
      if (!isOne) return
      for (let from = 0; from < piece.length; ) {
        const within = (at + from) % ENTRY_BYTES
        const to = Math.min(piece.length, from + ENTRY_BYTES - within)
        if (to - from === ENTRY_BYTES) look(piece.subarray(from, to))
        else {
          entry.set(piece.subarray(from, to), within)
          if (within + to - from === ENTRY_BYTES) look(entry)
        }
        from = to
      }
    },
    types: () => (found.has(MACROS) ? [] : [...new Set([...found].flatMap((name) => STREAMS[name] ?? []))]),
  }
}

/** UTF-16LE with a zero at its end; empty for what is no stream, or is longer than any that we know. */
function nameIn(entry: Uint8Array): string {
  const length = entry[NAME_LENGTH_AT] ?? 0
  if (entry[TYPE_AT] !== STREAM || entry[NAME_LENGTH_AT + 1] !== 0 || length < 4 || length > LONGEST)
    return ""
  let name = ""
  for (let at = 0; at < length - 2; at += 2) {
    if (entry[at + 1] !== 0) return ""
    name += String.fromCharCode(entry[at] ?? 0)
  }
  return name
}
