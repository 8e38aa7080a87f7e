// Finds streams as a malware scanner does: by their keywords, wherever they stand in the file, whether or not the cross-reference
// table or any object leads to them.

import type { Source } from "../source.ts"

export type RawStream = {
  /** The names of its filters in their order, with abbreviations spelled out. */
  readonly filters: readonly string[]
  readonly isImage: boolean
  readonly start: number
  readonly end: number
}

type Begun = Omit<RawStream, "end"> & { readonly length: number }

const WINDOW_BYTES = 1 << 20
/** Of a longer dictionary the last part is read. */
const MOST_DICTIONARY_BYTES = 4_096
const KEYWORD = "stream"

/** One pass over the file. A stream without an end goes to the end of the file. */
export function* rawStreams(source: Source): Generator<RawStream> {
  let begun: Begun[] = []
  for (let from = 0; from < source.length; from += WINDOW_BYTES) {
    // Windows overlap by a dictionary before and a keyword behind, so that both are found across their edges.
    const origin = Math.max(0, from - MOST_DICTIONARY_BYTES)
    const window = Buffer.from(source.read(origin, from + WINDOW_BYTES + KEYWORD.length + 2))
    for (let at = window.indexOf(KEYWORD, from - origin); at >= 0; at = window.indexOf(KEYWORD, at + 1)) {
      if (origin + at >= from + WINDOW_BYTES) break
      if (window.toString("latin1", Math.max(0, at - 3), at) === "end") {
        for (const stream of begun) yield ended(source, stream, origin + at - 3)
        begun = []
      } else {
        const stream = beginning(window, at, origin)
        if (stream !== undefined) begun.push(stream)
      }
    }
  }
  for (const stream of begun) yield ended(source, stream, source.length)
}

/** Scanners differ on which of two ends counts, so the later one does. */
const ended = (source: Source, { length, ...stream }: Begun, end: number): RawStream => ({
  ...stream,
  end: Math.min(source.length, Math.max(end, stream.start + length)),
})

function beginning(window: Buffer, at: number, origin: number): Begun | undefined {
  const before = window.toString("latin1", Math.max(0, at - MOST_DICTIONARY_BYTES), at)
  if (!/>>[\0\t\n\f\r ]*$/u.test(before)) return undefined
  const dictionary = unescaped(before.slice(before.lastIndexOf("obj") + 1))
  const behind = at + KEYWORD.length
  // 7.3.8.1: the keyword is followed by an end of line.
  const lineEnd = /^\r?\n/.exec(window.toString("latin1", behind, behind + 2))?.[0].length ?? 0
  return {
    filters: filtersIn(dictionary),
    isImage: /\/Subtype\s*\/Image\b/.test(dictionary),
    length: Number(/\/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1] ?? 0),
    start: origin + behind + lineEnd,
  }
}

/** 7.3.5: a name may be written with the codes of its characters. */
const unescaped = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  Fl: "FlateDecode",
  LZW: "LZWDecode",
  RL: "RunLengthDecode",
  A85: "ASCII85Decode",
  AHx: "ASCIIHexDecode",
}

function filtersIn(dictionary: string): readonly string[] {
  const [, list = ""] = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+)/.exec(dictionary) ?? []
  return [...list.matchAll(/\/([^\s/<>[\]()]+)/g)].map(([, name = ""]) => ABBREVIATIONS[name] ?? name)
}
