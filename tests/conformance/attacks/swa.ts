// Signature wrapping: the signed bytes stay in the file, whole and right, but elsewhere; what readers show is put where
// they were. The range that says where to look is the attacker's.

import { N, pageContent, stream } from "./contract.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"

const BASES = ["table B-B P=none ×1", "table B-B P=1 ×1 seen", "table B-B P=2 ×1", "table B-B P=3 ×1 seen"]

const technique = (name: string, make: Technique["make"]): Technique => ({
  class: "SWA",
  name,
  expected: "failed",
  on: ({ name: base }) => BASES.includes(base),
  make,
})

type Range = readonly number[]

export const swa: readonly Technique[] = [
  technique("second part moved behind another content, its range beside the contents", (base) =>
    wrapped(base, "beside", ">"),
  ),
  technique("second part moved, the contents padded by nought", (base) => wrapped(base, "beside", "00>")),
  technique("second part moved, the range in the signed part changed", (base) =>
    wrapped(base, "in place", ">"),
  ),
  technique("second part moved, behind a comment that hides it", (base) => wrapped(base, "beside", "> %")),
  ...(
    [
      ["six numbers", ([a, b, c, d]) => [a, b, c, d, 0, 0]],
      [
        "six numbers, with a hole in the middle",
        ([a, b, c, d = 0]) => [a, b, c, 100, (c ?? 0) + 200, d - 200],
      ],
      ["a negative start", ([, b, c, d]) => [-1, b, c, d]],
      ["a negative length", ([a, b, c]) => [a, b, c, -1]],
      ["two parts that overlap", ([a, b = 0, c, d]) => [a, b, b - 100, (d ?? 0) + (c ?? 0) - b + 100]],
      ["no gap at all", ([a, b = 0, c = 0, d = 0]) => [a, b, b, d + c - b]],
      ["the second part alone", ([, , c, d]) => [c, 0, c, d]],
      ["the first part alone", ([a, b, c]) => [a, b, c, 0]],
      ["a gap that begins too early", ([a, b = 0, c, d]) => [a, b - 500, c, d]],
      ["a gap that ends too late", ([a, b, c = 0, d = 0]) => [a, b, c + 100, d - 100]],
      ["parts in the other order", ([a, b, c, d]) => [c, d, a, b]],
      ["a start behind the header", ([, b = 0, c, d]) => [15, b - 15, c, d]],
      ["less than the whole file", ([a, b, c, d = 0]) => [a, b, c, d - 7]],
      ["more than the whole file", ([a, b, c, d = 0]) => [a, b, c, d + 7]],
    ] as readonly (readonly [string, (right: Range) => readonly (number | undefined)[]])[]
  ).map(([name, change]) =>
    technique(`a range of ${name}`, (base) => withRange(base.bytes, base, change(base.signature.range))),
  ),
  technique("an end of the range that takes in what was appended", (base) => {
    const change = `\n${N.content} 0 obj\n${stream(pageContent("9000.00"))}\nendobj\n`
    const grown = Buffer.concat([base.bytes, Buffer.from(change, "latin1")])
    const [a, b, c] = base.signature.range
    return withRange(grown, base, [a, b, c, grown.length - c])
  }),
]

/** In the place of the right one, where the engine leaves room for larger numbers. */
function withRange(
  file: Buffer,
  { signature }: SignedBase,
  numbers: readonly (number | undefined)[],
): Buffer {
  const bytes = Buffer.from(file)
  const start = bytes.lastIndexOf("/ByteRange", signature.range[1])
  const end = bytes.indexOf("]", start) + 1
  bytes.write(`/ByteRange[${numbers.join(" ")}]`.padEnd(end - start), start, "latin1")
  return bytes
}

/**
 * The file up to the contents, the contents, then what readers are to see, then the signed rest of the file. The rest says
 * where the cross-reference section is: there the attacker's stands now.
 */
function wrapped(base: SignedBase, where: "beside" | "in place", closing: string): Buffer {
  const { bytes, signature, startxref } = base
  const [, holeStart, holeEnd, restLength] = signature.range
  const filled = bytes.subarray(holeStart, holeEnd).toString("latin1").replace(/0*>$/, "")
  const content = `${N.content} 0 obj\n${stream(pageContent("9000.00"))}\nendobj\n`
  const dictEnd = bytes.subarray(holeEnd, bytes.indexOf("endobj", holeEnd) + 7).toString("latin1")
  const build = (restAt: number) => {
    const range = `/ByteRange [0 ${holeStart} ${restAt} ${restLength}]`
    const head = `${filled}${closing.includes("0>") && filled.length % 2 === 0 ? "0" : ""}${closing} ${where === "beside" ? range : ""}${dictEnd}`
    const at = holeStart + head.length
    const section = table(bytes, startxref, at)
    const gap = (head + content).padEnd(startxref - holeStart, " ") + section
    return { gap, end: holeStart + gap.length }
  }
  const first = build(99_999)
  const { gap, end } = build(first.end)
  const file = Buffer.concat([
    bytes.subarray(0, holeStart),
    Buffer.from(gap, "latin1"),
    bytes.subarray(holeEnd),
  ])
  return where === "beside" ? file : withRange(file, base, [0, holeStart, end, restLength])
}

/** The section as it was signed, and the content elsewhere. */
function table(bytes: Buffer, startxref: number, contentAt: number): string {
  const signed = bytes.subarray(startxref, bytes.indexOf("startxref", startxref)).toString("latin1")
  const line = `${N.content} 1\n${String(contentAt).padStart(10, "0")} 00000 n \n`
  return signed.replace(/^xref\n/, `xref\n${line}`)
}
