/**
 * RFC 6266: a plain name for old clients, the whole one for the others. A title may hold any character (SR-33);
 * what could end the header, walk through folders or hide an ending is taken out.
 */
export function contentDisposition(
  title: string,
  as: "attachment" | "inline",
  /** Those that a name may have; one with another gets the first. */
  endings: readonly string[] = ["pdf"],
): string {
  const { stem, ending } = nameOf(title, endings)
  const plain = stem.replace(/[^\x20-\x7e]|[%;]/g, "_")
  const encoded = encodeURIComponent(`${stem}.${ending}`).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${as}; filename="${plain}.${ending}"; filename*=UTF-8''${encoded}`
}

/** Of whatever is handed out as a file: should a browser show it after all, it runs nothing, loads nothing and is in no frame (R24, R25). */
export const FILE_POLICY = "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The same for what is attached to a mail. */
export function pdfName(title: string): string {
  const { stem, ending } = nameOf(title, ["pdf"])
  return `${stem}.${ending}`
}

function nameOf(title: string, endings: readonly string[]) {
  const clean = title
    .normalize("NFC")
    // Control, bidirectional and line characters, and what file systems do not take.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\/:*?"<>|]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "")
  const given = endings.find((each) => clean.toLowerCase().endsWith(`.${each}`))
  const ending = given ?? endings[0] ?? "bin"
  const named = given === undefined ? clean : clean.slice(0, -(given.length + 1))
  const stem = cut(named).trim() || "document"
  return { stem: DEVICE.test(stem) ? `_${stem}` : stem, ending }
}

/** Windows opens a device by these names, whatever follows the first dot or space. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)([\s.]|$)/i

/** File systems take 255 bytes; the rest is for an ending, and for a number where names are equal. */
const STEM_BYTES = 200
const STEM_CHARACTERS = 120

function cut(name: string): string {
  const characters = [...name].slice(0, STEM_CHARACTERS)
  while (Buffer.byteLength(characters.join("")) > STEM_BYTES) characters.pop()
  return characters.join("")
}
