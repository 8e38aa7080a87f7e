// Incremental updates put together as text, for files with plain objects: nothing here shares code with the reader or writer.

/** Number and body. */
export type Edit = readonly [number: number, body: string]

/** The newest body of each plain object, as text. */
export function objectsIn(file: Uint8Array): ReadonlyMap<number, string> {
  const text = Buffer.from(file).toString("latin1")
  const found = new Map<number, string>()
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)\nendobj/g))
    found.set(Number(match[1]), match[2] ?? "")
  return found
}

export function appendRevision(file: Uint8Array, edits: readonly Edit[], trailer = ""): Uint8Array {
  const before = Buffer.from(file)
  const text = before.toString("latin1")
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? "0"
  const root = [...text.matchAll(/\/Root (\d+ \d+ R)/g)].at(-1)?.[1] ?? "1 0 R"
  const sizes = [...text.matchAll(/\/Size (\d+)/g)].map(([, size]) => Number(size))
  const size = Math.max(...sizes, ...edits.map(([number]) => number + 1))
  let body = "\n"
  let table = "xref\n"
  for (const [number, object] of edits) {
    const offset = String(before.length + body.length).padStart(10, "0")
    table += `${number} 1\n${offset} 00000 n \n`
    body += `${number} 0 obj\n${object}\nendobj\n`
  }
  const start = before.length + body.length
  const end = `${table}trailer\n<< /Size ${size} /Root ${root} /Prev ${previous} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return new Uint8Array(Buffer.concat([before, Buffer.from(body + end, "latin1")]))
}

/** The dictionary with an entry added or replaced. */
export function withEntry(body: string, key: string, value: string): string {
  const end = body.includes(">>\nstream") ? body.indexOf(">>\nstream") : body.lastIndexOf(">>")
  if (end < 0) return body
  const own = new RegExp(`/${key} (?:\\([^)]*\\)|\\[[^\\]]*\\]|<<.*?>>|/\\w+|\\d+ 0 R|[\\d.]+)`)
  const head = body.slice(0, end)
  return own.test(head)
    ? head.replace(own, () => `/${key} ${value}`) + body.slice(end)
    : `${head} /${key} ${value} ${body.slice(end)}`
}
