// What a paper says of itself, in XMP (ISO 16684-1), where PDF/A wants it (ISO 19005-2, 6.6).

export type About = {
  readonly title: string
  readonly language: string
  readonly madeAt: Date
  readonly producer: string
}

/** `part`: 2, or 3 where something is attached, which part 2 forbids unless it is PDF/A itself. */
export function xmp({ title, language, madeAt, producer }: About, part: 2 | 3 = 2): string {
  const at = `${madeAt.toISOString().slice(0, 19)}Z`
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">',
    `<pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>`,
    `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>`,
    `<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>`,
    `<xmp:CreateDate>${at}</xmp:CreateDate><xmp:ModifyDate>${at}</xmp:ModifyDate>`,
    `<pdf:Producer>${escaped(producer)}</pdf:Producer>`,
    "</rdf:Description></rdf:RDF></x:xmpmeta>",
    '<?xpacket end="r"?>',
  ].join("\n")
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, " ")
    .replace(/[&<>]/g, (one) => ESCAPES[one] ?? one)
}
