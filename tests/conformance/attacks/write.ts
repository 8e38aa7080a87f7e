// Files and revisions put together by hand. Nothing here shares code with the engine, which would write none of this.

import { contractObjects, HIDDEN_TWINS, N, ref } from "./contract.ts"

export type Xref = "table" | "stream"
/** Where an object is: at a place in the file, in an object stream at an index, or nowhere. */
export type Place = number | { readonly in: number; readonly at: number } | "free"

export type Written = { readonly bytes: Buffer; readonly twins: ReadonlyMap<number, number> }

const HEAD = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
const ID = `/ID [<${"ab".repeat(16)}> <${"cd".repeat(16)}>]`

/** The contract, with `twins`: where the second version of some objects stands. */
export function writeContract(xref: Xref): Written {
  const objects = contractObjects()
  let body = HEAD
  const places = new Map<number, Place>()
  const twins = new Map<number, number>()
  for (const [number, twin] of HIDDEN_TWINS) {
    twins.set(number, body.length)
    body += `${number} 0 obj\n${twin}\nendobj\n`
  }
  const inStream =
    xref === "stream" ? [...objects].filter(([number, object]) => mayBePacked(number, object)) : []
  const container = Math.max(...objects.keys()) + 1
  for (const [number, object] of objects) {
    if (inStream.some(([other]) => other === number)) continue
    places.set(number, body.length)
    body += `${number} 0 obj\n${object}\nendobj\n`
  }
  if (inStream.length > 0) {
    for (const [at, [number]] of inStream.entries()) places.set(number, { in: container, at })
    places.set(container, body.length)
    body += `${container} 0 obj\n${objectStream(inStream)}\nendobj\n`
  }
  const trailer = `/Root ${ref(N.catalog)} /Info ${ref(N.info)} ${ID}`
  const size = inStream.length > 0 ? container + 1 : container
  const end = section(xref, body.length, new Map([[0, "free"], ...places]), size, trailer)
  return { bytes: Buffer.from(body + end, "latin1"), twins }
}

const mayBePacked = (number: number, object: string): boolean =>
  number !== N.catalog && !object.includes("\nstream\n")

export function objectStream(objects: readonly (readonly [number, string])[]): string {
  let directory = ""
  let content = ""
  for (const [number, object] of objects) {
    directory += `${number} ${content.length} `
    content += `${object}\n`
  }
  const data = directory + content
  return `<< /Type /ObjStm /N ${objects.length} /First ${directory.length} /Length ${data.length} >>\nstream\n${data}\nendstream`
}

/** A cross-reference section at a place in the file, with all that follows it. `size` grows by one where it is a stream. */
export function section(
  xref: Xref,
  at: number,
  places: ReadonlyMap<number, Place>,
  size: number,
  trailer: string,
): string {
  if (xref === "table") return `${table(places)}trailer\n<< /Size ${size} ${trailer} >>\n${ending(at)}`
  const all = new Map<number, Place>([...places, [size, at]])
  const numbers = [...all.keys()].sort((a, b) => a - b)
  const rows = numbers.map((number) => row(all.get(number) ?? "free")).join("")
  const index = numbers.map((number) => `${number} 1`).join(" ")
  const entries = `/Type /XRef /Size ${size + 1} /W [1 4 2] /Index [${index}] /Length ${rows.length} ${trailer}`
  return `${size} 0 obj\n<< ${entries} >>\nstream\n${rows}\nendstream\nendobj\n${ending(at)}`
}

export const ending = (at: number): string => `startxref\n${at}\n%%EOF\n`

export function table(places: ReadonlyMap<number, Place>, generation = 0): string {
  const lines = [...places].map(([number, place]) => `${number} 1\n${tableLine(number, place, generation)}`)
  return `xref\n${lines.join("")}`
}

function tableLine(number: number, place: Place, generation: number): string {
  if (typeof place !== "number") return `0000000000 ${number === 0 ? "65535" : "00001"} f \n`
  return `${String(place).padStart(10, "0")} ${String(generation).padStart(5, "0")} n \n`
}

function row(place: Place): string {
  const bytes = Buffer.alloc(7)
  if (typeof place === "number") {
    bytes.writeUInt8(1, 0)
    bytes.writeUInt32BE(place, 1)
  } else if (place !== "free") {
    bytes.writeUInt8(2, 0)
    bytes.writeUInt32BE(place.in, 1)
    bytes.writeUInt16BE(place.at, 5)
  }
  return bytes.toString("latin1")
}
