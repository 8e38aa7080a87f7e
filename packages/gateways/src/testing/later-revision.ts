/** For tests: the file with one more revision, of a file with a cross-reference table; each object is its number and its body. */
export function laterRevision(base: Uint8Array, objects: readonly (readonly [number, string])[]): Uint8Array {
  const before = Buffer.from(base)
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before.toString("latin1"))?.[1] ?? "0"
  let text = ""
  let table = "xref\n0 1\n0000000000 65535 f \n"
  for (const [number, body] of objects) {
    table += `${number} 1\n${String(before.length + text.length).padStart(10, "0")} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const at = before.length + text.length
  const size = 1 + Math.max(1000, ...objects.map(([number]) => number))
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Prev ${previous} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([before, Buffer.from(text + table + trailer, "latin1")])
}

export const streamBody = (content: string, entries = ""): string =>
  `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`
