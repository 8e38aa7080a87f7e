/** For tests: the smallest files of each kind that go along with a request, as their formats have them. */

export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]

export type ZipOptions = {
  readonly flags?: number
  readonly comment?: string
  /** Stands before the archive, which does not know of it. */
  readonly before?: string
}

/** APPNOTE 4.3: stored entries, a directory, its end. Checksums are left out: nobody here reads what is within. */
export function zipOf(entries: Readonly<Record<string, string>>, options: ZipOptions = {}): Uint8Array {
  const { flags = 0, comment = "", before = "" } = options
  const files: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const [name, content] of Object.entries(entries)) {
    const size = u32(content.length)
    const known = [u16(20), u16(flags), u16(0), u32(0), u32(0), size, size, u16(name.length), u16(0)].flat()
    const file = joined(ascii("PK\x03\x04"), known, ascii(name), ascii(content))
    const place = [...u16(0), ...u16(0), ...u16(0), ...u32(0), ...u32(at)]
    directory.push(joined(ascii("PK\x01\x02"), u16(20), known, place, ascii(name)))
    files.push(file)
    at += file.length
  }
  const listed = joined(...directory)
  const counts = [u16(0), u16(0), u16(directory.length), u16(directory.length)].flat()
  const end = [...counts, ...u32(listed.length), ...u32(at), ...u16(comment.length)]
  return joined(ascii(before), ...files, listed, ascii("PK\x05\x06"), end, ascii(comment))
}

const OOXML = { "[Content_Types].xml": "<Types/>", "_rels/.rels": "<Relationships/>" }
const ODF = "application/vnd.oasis.opendocument"
const openDocument = (type: string) =>
  zipOf({ mimetype: type, "content.xml": "<a/>", "META-INF/manifest.xml": "" })

/** [MS-CFB]: a header, and one sector of the directory after some of something else. */
export function compoundFileOf(...names: readonly string[]): Uint8Array {
  const header = Uint8Array.from(
    { length: 512 },
    (_, at) => [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1][at] ?? 0,
  )
  const entries = ["Root Entry", ...names].map((name, index) => {
    const entry = new Uint8Array(128)
    for (const [at, letter] of [...name].entries()) entry[2 * at] = letter.charCodeAt(0)
    entry.set(u16(2 * (name.length + 1)), 64)
    entry[66] = index === 0 ? 5 : 2
    return entry
  })
  return joined(header, new Uint8Array(1024).fill(0xab), ...entries)
}

/** By the type that each of them is. */
export const SAMPLES: Readonly<Record<string, Uint8Array>> = {
  "application/pdf": ascii("%PDF-1.7\n%%EOF\n"),
  "image/gif": ascii("GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
  "image/jpeg": Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 0xff, 0xd9),
  "image/png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0),
  // "Zürich, 9:00" and a pen, which is four bytes.
  "text/plain": joined(
    ascii("Z"),
    Uint8Array.of(0xc3, 0xbc),
    ascii("rich,\t9:00\r\n"),
    Uint8Array.of(0xf0, 0x9f, 0x96, 0x8a),
  ),
  "text/csv": ascii("name;sum\nAnna;1\n"),
  "application/msword": compoundFileOf("1Table", "WordDocument"),
  "application/vnd.ms-excel": compoundFileOf("Workbook"),
  "application/vnd.ms-powerpoint": compoundFileOf("Current User", "PowerPoint Document"),
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": zipOf({
    ...OOXML,
    "word/document.xml": "<w/>",
  }),
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": zipOf({
    ...OOXML,
    "xl/workbook.xml": "<x/>",
  }),
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": zipOf({
    ...OOXML,
    "ppt/presentation.xml": "<p/>",
  }),
  [`${ODF}.text`]: openDocument(`${ODF}.text`),
  [`${ODF}.spreadsheet`]: openDocument(`${ODF}.spreadsheet`),
  [`${ODF}.presentation`]: openDocument(`${ODF}.presentation`),
}

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/** What calls itself the type that is named, and is not taken. */
export const UNSUPPORTED: Readonly<Record<string, readonly [string, Uint8Array]>> = {
  "no bytes": ["text/plain", new Uint8Array()],
  "a program": ["application/pdf", ascii("MZ\x90\x00\x03")],
  "HTML as HTML": ["text/html", ascii("<script>alert(1)</script>")],
  "a picture as a PDF": ["application/pdf", ascii("GIF89a;")],
  "a PDF as text": ["text/plain", ascii("%PDF-1.7\n")],
  "a PDF behind something else": ["application/pdf", ascii("MZ %PDF-1.7\n")],
  "text with a bell": ["text/plain", ascii("ding\x07")],
  "text with a NUL": ["text/plain", ascii("a\x00b")],
  "text with a control character of two bytes": ["text/plain", Uint8Array.of(0x41, 0xc2, 0x85)],
  "text that breaks off": ["text/plain", Uint8Array.of(0x41, 0xe2, 0x82)],
  "text in Latin-1": ["text/plain", Uint8Array.of(0x5a, 0xfc, 0x72)],
  "text in UTF-16": ["text/plain", Uint8Array.of(0xff, 0xfe, 0x41, 0x00)],
  "a surrogate in UTF-8": ["text/plain", Uint8Array.of(0xed, 0xa0, 0x80)],
  "an overlong slash": ["text/plain", Uint8Array.of(0xc0, 0xaf)],
  "an archive": [WORD, zipOf({ "a.txt": "a" })],
  "a sheet as a text document": [WORD, zipOf({ ...OOXML, "xl/workbook.xml": "" })],
  "two documents in one": [WORD, zipOf({ ...OOXML, "word/document.xml": "", "xl/workbook.xml": "" })],
  "a document with macros": [WORD, zipOf({ ...OOXML, "word/document.xml": "", "word/vbaProject.bin": "" })],
  "an encrypted archive": [WORD, zipOf({ ...OOXML, "word/document.xml": "" }, { flags: 1 })],
  "an archive behind something else": [
    WORD,
    zipOf({ ...OOXML, "word/document.xml": "" }, { before: "PK\x03\x04" }),
  ],
  "half an archive": [WORD, zipOf({ ...OOXML, "word/document.xml": "" }).subarray(0, 100)],
  "an older document with macros": ["application/msword", compoundFileOf("WordDocument", "_VBA_PROJECT")],
  "an installer": ["application/msword", compoundFileOf("!_Columns")],
}
