import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { writeSample } from "../sample.ts"
import { refuseBombs } from "./decoded-size.ts"

const spaces = (bytes: number) => Buffer.alloc(bytes, " ")
const refused = expect.objectContaining({ name: "PdfRefused", code: "too-complex" })

function pdfWith(...streams: readonly { readonly entries: string; readonly data: Uint8Array }[]): Uint8Array {
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [] /Count 0 >>",
    ...streams.map(({ entries, data }) =>
      Buffer.concat([
        Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`),
        data,
        Buffer.from("\nendstream"),
      ]),
    ),
  ])
}

const flate = (bytes: number) => deflateSync(spaces(bytes))
const FLATE = "/Filter /FlateDecode"

describe("a file whose streams decode to far more than its size", () => {
  it("[B4] is refused for two Flate filters on one stream that no object leads to", async () => {
    const data = deflateSync(flate(50_000_000))
    expect(data.length).toBeLessThan(1_000)
    for (const entries of ["/Filter [/FlateDecode /FlateDecode]", "/Filter[/Fl/F#6cateDecode]"])
      await expect(refuseBombs(pdfWith({ entries, data })), entries).rejects.toEqual(refused)
  })

  it("[B4] is refused for many streams that are small one by one", async () => {
    const one = { entries: FLATE, data: flate(3_000_000) }
    await expect(refuseBombs(pdfWith(one))).resolves.toBeUndefined()
    await expect(refuseBombs(pdfWith(...Array.from({ length: 12 }, () => one)))).rejects.toEqual(refused)
  })

  it("[B4] is refused for what it decodes to before a fault in the data", async () => {
    const data = Buffer.from(flate(60_000_000))
    data.fill(0, data.length - 4)
    await expect(refuseBombs(pdfWith({ entries: FLATE, data }))).rejects.toEqual(refused)
  })

  it("[B4] is refused where the length or the end of a stream is wrong", async () => {
    const data = flate(60_000_000)
    const pdf = Buffer.from(pdfWith({ entries: FLATE, data })).toString("latin1")
    const wrongLength = pdf.replace(/\/Length \d+/, "/Length 3")
    const noEnd = pdf.replace("\nendstream", "")
    for (const text of [wrongLength, noEnd])
      await expect(refuseBombs(Buffer.from(text, "latin1"))).rejects.toEqual(refused)
  })

  it("[B4] is refused for run lengths", async () => {
    const data = Buffer.alloc(400_000, Buffer.from([129, 32]))
    const pdf = pdfWith({ entries: "/Filter [/FlateDecode /RunLengthDecode]", data: deflateSync(data) })
    await expect(refuseBombs(pdf)).rejects.toEqual(refused)
  })
})

describe("an ordinary file", () => {
  it("may have images of any number of bytes, which have a limit of their own", async () => {
    const entries = `/Subtype /Image /Width 6000 /Height 10000 ${FLATE}`
    await expect(refuseBombs(pdfWith({ entries, data: flate(60_000_000) }))).resolves.toBeUndefined()
  })

  it("may have streams that cannot be decoded", async () => {
    const data = Buffer.from("no deflated data")
    for (const entries of [FLATE, "/Filter /LZWDecode", "/Filter /Unknown", "/Filter 7 0 R"])
      await expect(refuseBombs(pdfWith({ entries, data }))).resolves.toBeUndefined()
  })
})
