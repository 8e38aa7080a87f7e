import { createHash } from "node:crypto"
import { readCertificate } from "@paraph/pki/certificate"
import { readDer } from "@paraph/pki/der"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { PdfRefused } from "../refused.ts"
import { samplePdf, writeSample } from "../sample.ts"
import { bytesSource } from "../source.ts"
import { openPdf, resolve } from "../structure/document.ts"
import { entry, isArray, isDict, isRef, type PdfDict, textOf } from "../syntax/value.ts"
import { certificate, formWith, options, signOnto, textIn, valueFor } from "../testing/signer.ts"
import { finish } from "./finish.ts"
import { prepare } from "./prepare.ts"
import type { Prepared } from "./prepared.ts"

describe("a signature", () => {
  it("only appends: the signed file begins with the base, byte for byte, and the base is left alone", () => {
    const base = samplePdf({ pages: 2 })
    const before = sha256(base)
    const signed = signOnto(base, "Paraph-1")
    expect(sha256(base)).toBe(before)
    expect(sha256(signed.subarray(0, base.length))).toBe(before)
    expect(describePdf(signed)).toMatchObject({
      pageCount: 2,
      signatureFields: [{ name: "Paraph-1", signed: true }],
    })
  })

  it("covers every byte but the hole", () => {
    const base = samplePdf()
    const prepared = prepare(base, options("Paraph-1"))
    const signed = Buffer.concat([base, finish(prepared, valueFor(prepared))])
    const [start, before, after, rest] = prepared.byteRange
    expect([start, after + rest]).toEqual([0, signed.length])
    expect([before, after - before]).toEqual([prepared.hole.start, prepared.hole.length])
    expect(signed.toString("latin1")).toContain(`/ByteRange [${prepared.byteRange.join(" ")} `)
    expect(signed.toString("latin1", before, before + 1) + signed.toString("latin1", after - 1, after)).toBe(
      "<>",
    )
    const digest = sha256(Buffer.concat([signed.subarray(0, before), signed.subarray(after)]))
    expect(Buffer.from(prepared.signedAttributes, "base64").toString("hex")).toContain(digest)
    expect(prepared.baseSha256).toBe(sha256(base))
  })

  it("is finished from JSON, and twice with the same bytes", () => {
    const base = samplePdf()
    const prepared = prepare(base, options("Paraph-1"))
    const value = valueFor(prepared)
    const stored: Prepared = JSON.parse(JSON.stringify(prepared))
    expect(stored).toEqual(prepared)
    expect(finish(stored, value)).toEqual(finish(prepared, value))
    expect(prepare(base, options("Paraph-1"))).toEqual(prepared)
  })

  it("holds whatever name and reason a person has, and nothing of it becomes syntax", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("(", "\\", "a)>>\n/V", "ÿ€😀", "\0"),
    )
    fc.assert(
      fc.property(text, text, (signerName, reason) => {
        const signature = signatureOf(signOnto(samplePdf(), "Paraph-1", { signerName, reason }), "Paraph-1")
        expect(textIn(signature, "Name")).toBe(signerName)
        expect(textIn(signature, "Reason")).toBe(reason)
      }),
      { numRuns: 50 },
    )
  })

  it("claims its time in the dictionary", () => {
    const signature = signatureOf(signOnto(samplePdf(), "Paraph-1"), "Paraph-1")
    expect(textIn(signature, "M")).toBe("D:20261105102030Z")
  })

  it("leaves room for a timestamp by default, and is refused when it does not fit", () => {
    const roomy = prepare(samplePdf(), options("Paraph-1"))
    expect(roomy.hole.length / 2).toBeGreaterThan(8_192 + certificate.length)
    const narrow = prepare(samplePdf(), { ...options("Paraph-1"), holeBytes: 200 })
    expect(() => finish(narrow, valueFor(narrow))).toThrow(RangeError)
  })

  it("is refused when the value is another's, or the hole is not where it was", () => {
    const prepared = prepare(samplePdf(), options("Paraph-1"))
    const other = prepare(samplePdf({ pages: 2 }), options("Paraph-1"))
    expect(() => finish(prepared, valueFor(other))).toThrow("does not verify")
    const moved = { ...prepared, hole: { ...prepared.hole, start: prepared.hole.start + 1 } }
    expect(() => finish(moved, valueFor(prepared))).toThrow("no hole")
  })

  it("carries the signer's certificate", () => {
    const prepared = prepare(samplePdf(), options("Paraph-1"))
    const tail = Buffer.from(finish(prepared, valueFor(prepared)))
    const start = prepared.hole.start - prepared.baseLength + 1
    const padded = Buffer.from(tail.toString("latin1", start, start + prepared.hole.length - 2), "hex")
    const length = padded.readUInt16BE(2) + 4
    const certificates = readDer(padded.subarray(0, length)).children[1]?.children[0]?.children[3]
    expect(readCertificate(new Uint8Array(certificates?.content ?? [])).subjectName).toBe("Ada")
    expect(padded.subarray(length).every((octet) => octet === 0)).toBe(true)
  })
})

describe("a field name", () => {
  it("of a field that is signed, or no signature field, is refused", () => {
    const signed = signOnto(samplePdf(), "Paraph-1")
    expect(() => prepare(signed, options("Paraph-1"))).toThrow("is signed already")
    const text = formWith("<< /T (Paraph-1) /FT /Tx >>", "[6 0 R]")
    expect(() => prepare(text, options("Paraph-1"))).toThrow("is not a signature field")
  })

  it("that is empty or has a full stop is refused", () => {
    for (const name of ["", "a.b"]) expect(() => prepare(samplePdf(), options(name))).toThrow(TypeError)
  })
})

describe("the structure of the file", () => {
  it("keeps earlier signatures and gives no number twice", () => {
    const one = signOnto(samplePdf(), "Paraph-1")
    const three = signOnto(signOnto(one, "Paraph-2"), "Paraph-3")
    expect(describePdf(three).signatureFields.map(({ name }) => name)).toEqual([
      "Paraph-1",
      "Paraph-2",
      "Paraph-3",
    ])
    const kept = Buffer.from(three).subarray(0, one.length)
    expect(kept.equals(Buffer.from(one))).toBe(true)
    const { sections } = openPdf(bytesSource(three))
    expect(sections.map(({ trailer }) => entry(trailer, "Size"))).toEqual([15, 12, 9, 5])
    expect(
      Buffer.from(three)
        .toString("latin1")
        .match(/\n\d+ 0 obj\n<<\n\/Type \/Sig\n/g),
    ).toHaveLength(3)
    expect(
      new Set(
        Buffer.from(three)
          .toString("latin1")
          .match(/\n\d+ 0 obj\n<<\n\/Type \/Sig\n/g),
      ).size,
    ).toBe(3)
  })

  it("keeps an indirect /Annots and an indirect /Fields indirect, with what they held", () => {
    const base = formWith("<< /T (text) /FT /Tx >>", "5 0 R", "[6 0 R]")
    const pdf = openPdf(bytesSource(signOnto(base, "Paraph-1")))
    const form = resolve(pdf, entry(pdf.catalog, "AcroForm"))
    const page = resolve(pdf, { type: "ref", number: 3, generation: 0 })
    if (!isDict(form) || !isDict(page)) throw new Error("no form or no page")
    for (const value of [entry(form, "Fields"), entry(page, "Annots")]) {
      expect(isRef(value)).toBe(true)
      const array = resolve(pdf, value)
      expect(isArray(array) && array.items).toHaveLength(2)
    }
    expect(entry(form, "SigFlags")).toBe(3)
    expect(entry(form, "NeedAppearances")).toBe(false)
  })

  it("keeps keys of the trailer that it does not know, and the first identifier", () => {
    const base = writeSample(
      [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] >>",
        "<< /Type /Page /MediaBox [0 0 9 9] >>",
      ],
      "/Info << /Title (T) >> /Vendor#20Key (kept)",
    )
    const { trailer } = openPdf(bytesSource(signOnto(base, "Paraph-1")))
    expect(textIn(trailer, "Vendor Key")).toBe("kept")
    expect(isDict(entry(trailer, "Info"))).toBe(true)
    const id = entry(trailer, "ID")
    const ids = isArray(id)
      ? id.items.map((item) => (typeof item === "object" && item?.type === "string" ? textOf(item) : ""))
      : []
    expect(Buffer.from(ids[0] ?? "", "latin1").toString("hex")).toBe("ab".repeat(16))
    expect(Buffer.from(ids[1] ?? "", "latin1").toString("hex")).not.toBe("cd".repeat(16))
    expect(ids[1]).toHaveLength(16)
  })

  it("is refused where a reference leads to nothing and would lead to our new object", () => {
    const base = formWith("<< /T (text) /FT /Tx >>", "[6 0 R 8 0 R]")
    expect(() => prepare(base, options("Paraph-1"))).toThrow("Object 8 lies beyond the size")
  })

  it("is refused where an earlier signature locks it", () => {
    const locked = (parameters: string) =>
      formWith(`<< /T (c) /FT /Sig /V << /Type /Sig /Reference [<< ${parameters} >>] >> >>`, "[6 0 R]")
    const refused = (pdf: Uint8Array) => {
      try {
        prepare(pdf, options("Paraph-1"))
        return undefined
      } catch (error) {
        return error instanceof PdfRefused ? error.code : error
      }
    }
    const fieldMdp = (parameters: string) => `/TransformMethod /FieldMDP /TransformParams << ${parameters} >>`
    expect(refused(locked("/TransformMethod /DocMDP /TransformParams << /P 1 >>"))).toBe("locked")
    expect(refused(locked("/TransformMethod /DocMDP /TransformParams << /P 2 >>"))).toBeUndefined()
    expect(refused(locked(fieldMdp("/Action /All")))).toBe("locked")
    expect(refused(locked(fieldMdp("/Action /Include /Fields [(Paraph-1)]")))).toBe("locked")
    expect(refused(locked(fieldMdp("/Action /Include /Fields [(text)]")))).toBeUndefined()
    expect(refused(locked(fieldMdp("/Action /Exclude /Fields [(text)]")))).toBe("locked")
    expect(refused(locked(fieldMdp("/Action /Perhaps")))).toBe("locked")
  })
})

function signatureOf(signed: Uint8Array, fieldName: string): PdfDict {
  const pdf = openPdf(bytesSource(signed))
  const form = resolve(pdf, entry(pdf.catalog, "AcroForm"))
  const fields = isDict(form) ? resolve(pdf, entry(form, "Fields")) : null
  for (const item of isArray(fields) ? fields.items : []) {
    const field = resolve(pdf, item)
    const signature =
      isDict(field) && textIn(field, "T") === fieldName ? resolve(pdf, entry(field, "V")) : null
    if (isDict(signature)) return signature
  }
  throw new Error("no signature")
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
