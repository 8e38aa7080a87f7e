import { describe, expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf } from "../structure/document.ts"
import { appendRevision } from "../testing/by-hand.ts"
import { withObjectStream } from "../testing/hostile.ts"
import { readRevisions } from "./revisions.ts"
import { readStoredEvidence } from "./stored-evidence.ts"

const stream = (data: string, length = `${data.length}`) =>
  `<< /Length ${length} >>\nstream\n${data}\nendstream`

const DSS = 4
const OCSPS = 5
const RESPONSE = 6
const LENGTH = 7
const FREE = 8

/** One page and a security store whose lists and streams are objects of their own. */
function withStore({ dss = "<< /OCSPs 5 0 R >>", ocsps = "[6 0 R]", response = stream("revoked") } = {}) {
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R /DSS 4 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    dss,
    ocsps,
    response,
    "7",
  ])
}

const update = (base: Uint8Array, ...objects: readonly (readonly [number, string])[]) =>
  appendRevision(base, { objects, size: 10_100 })

function read(file: Uint8Array) {
  const pdf = openPdf(bytesSource(file))
  const { certificates, ocspResponses, crls } = readStoredEvidence(pdf, readRevisions(pdf))
  const text = (items: typeof crls) => items.map(({ der }) => Buffer.from(der).toString("latin1"))
  return { certificates: text(certificates), ocspResponses: text(ocspResponses), crls: text(crls) }
}

describe("what the security store held in any revision", () => {
  it("is read although a later revision overwrites only the array of a list", () => {
    expect(read(update(withStore(), [OCSPS, "[]"])).ocspResponses).toEqual(["revoked"])
  })

  it("is read although a later revision overwrites only the stream of an item", () => {
    const file = update(withStore(), [RESPONSE, stream("good")])
    expect(read(file).ocspResponses).toEqual(["good", "revoked"])
    const direct = withStore({ dss: "<< /OCSPs [6 0 R] >>" })
    expect(read(update(direct, [RESPONSE, stream("good")])).ocspResponses).toEqual(["good", "revoked"])
  })

  it("is read although a later revision overwrites only the length of a stream", () => {
    const base = withStore({ response: stream("revoked\nendstream good", "7 0 R") })
    expect(read(update(base, [LENGTH, "22"])).ocspResponses).toEqual(["revoked\nendstream good", "revoked"])
  })

  it("is read although a later revision names an object of another kind, frees it or breaks the store", () => {
    for (const [number, body] of [
      [OCSPS, "null"],
      [OCSPS, "[null 3 0 R]"],
      [RESPONSE, "null"],
      [DSS, "[]"],
      [DSS, "null"],
      [1, "<< /Type /Catalog /Pages 2 0 R >>"],
    ] as const)
      expect(read(update(withStore(), [number, body])).ocspResponses, body).toEqual(["revoked"])
  })

  it("is read although several later revisions do so one after the other", () => {
    const twice = update(update(withStore(), [OCSPS, "[]"]), [RESPONSE, stream("good")])
    expect(read(update(twice, [OCSPS, "[6 0 R]"])).ocspResponses).toEqual(["good", "revoked"])
  })

  it("is read as what it was, although a later revision lists it as something else", () => {
    const file = update(withStore(), [DSS, "<< /Certs [6 0 R] >>"])
    expect(read(file)).toEqual({ certificates: ["revoked"], ocspResponses: ["revoked"], crls: [] })
  })

  it("is read from a list that also names what cannot be read", () => {
    const base = withStore({ dss: "<< /Certs [3 0 R] /CRLs 7 0 R /OCSPs 5 0 R >>", ocsps: "[9 0 R 6 0 R]" })
    expect(read(base).ocspResponses).toEqual(["revoked"])
  })

  it("is read where only /VRI names it", () => {
    const dss = `<< /VRI << /Type /VRI /${"AB".repeat(20)} << /OCSP 5 0 R /TU (D:2026) >> >> >>`
    expect(read(withStore({ dss })).ocspResponses).toEqual(["revoked"])
    expect(read(update(withStore({ dss }), [OCSPS, "[]"])).ocspResponses).toEqual(["revoked"])
  })

  it("is read although a later revision overwrites the object stream that the store is in", () => {
    const packed = "<< /OCSPs 7 0 R >> [5 0 R] "
    const base = withObjectStream(
      [
        "<< /Type /Catalog /Pages 2 0 R /DSS 8 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        "null",
        stream("revoked"),
      ],
      [
        [8, 0],
        [7, 19],
      ],
      packed,
    )
    expect(read(base).ocspResponses).toEqual(["revoked"])
    const data = `8 0 7 19 ${"<< /X 1 >>".padEnd(19)}[]`
    const other = `<< /Type /ObjStm /N 2 /First 9 /Length ${data.length} >>\nstream\n${data}\nendstream`
    expect(read(update(base, [6, other])).ocspResponses).toEqual(["revoked"])
  })

  it("counts once where revisions leave it where it is", () => {
    let file: Uint8Array = withStore()
    for (let i = 0; i < 20; i++) file = update(file, [DSS, `<< /OCSPs 5 0 R /X ${i} >>`])
    expect(read(file).ocspResponses).toEqual(["revoked"])
  })
})

describe("a security store that is too large", () => {
  it("is refused, because an item that is left out could be a revocation", () => {
    const refs = (count: number) => Array.from({ length: count }, (_, i) => `${FREE + i} 0 R`).join(" ")
    const objects = Array.from({ length: 10_000 }, (_, i) => [FREE + i, stream(`${i}`)] as const)
    const file = update(withStore(), [OCSPS, `[${refs(10_000)}]`], ...objects)
    expect(refusalOf(() => read(file))).toBe(
      "too-complex: The security store has more than 10000 items of one kind.",
    )
    const fewer = update(withStore(), [OCSPS, `[${refs(9_999)}]`], ...objects)
    expect(read(fewer).ocspResponses.at(-1)).toBe("revoked")
  })

  it("is refused after a bounded amount of work where many revisions change a long list", () => {
    let file: Uint8Array = update(
      withStore({ ocsps: `[${"6 0 R ".repeat(9_000)}]` }),
      ...Array.from({ length: 2_000 }, (_, i) => [FREE + i, stream(`${i}`)] as const),
    )
    for (let i = 0; i < 300; i++) file = update(file, [DSS, `<< /OCSPs 5 0 R /X ${i} >>`])
    expect(refusalOf(() => read(file))).toBe("too-complex: The PDF takes too long to read.")
  })
})

function refusalOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof PdfRefused) return `${error.code}: ${error.message}`
    throw error
  }
}
