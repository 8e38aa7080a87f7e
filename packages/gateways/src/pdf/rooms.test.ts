import { execFileSync } from "node:child_process"
import { createHash, sign } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { finish } from "@paraph/pades/finish"
import { PdfRefused } from "@paraph/pades/refused"
import sharp from "sharp"
import { afterAll, describe, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { createPdfRooms, PdfRoomsBusy } from "./rooms.ts"

const rooms = createPdfRooms()
const folder = mkdtempSync(join(tmpdir(), "paraph-rooms-"))
const text = handMadePdf(["BT /F1 48 Tf 60 600 Td (Paraph) Tj ET", ""])

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

describe("the PDF rooms", () => {
  it("describe a document", async () => {
    expect(await rooms.describe(text)).toMatchObject({
      pageCount: 2,
      pageWidth: 595,
      pageHeight: 842,
      signatureFields: [],
    })
  })

  it("draw what is on the page, and white where nothing is", async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((page) => rooms.renderPage(text, { page, widthPx: 600 })),
    )
    expect(first).toMatchObject({ contentType: "image/webp", widthPx: 600, heightPx: 849 })
    expect(await sharp(first?.bytes).metadata()).toMatchObject({ format: "webp", width: 600, height: 849 })
    expect(await darkest(first?.bytes)).toBeLessThan(60)
    expect(await darkest(second?.bytes)).toBeGreaterThan(250)
    expect(await rooms.renderPage(text, { page: 2, widthPx: 600 })).toBeNull()
  })

  it("keep a picture within bounds, whatever width is asked for", async () => {
    const [wide, narrow] = await Promise.all(
      [1e9, -5].map((widthPx) => rooms.renderPage(text, { page: 0, widthPx })),
    )
    expect((wide?.widthPx ?? 0) * (wide?.heightPx ?? 0)).toBeLessThanOrEqual(8_000_000)
    expect(narrow?.widthPx).toBe(16)
  })

  it("take a document of the largest size within their memory", async () => {
    const filler = { dictionary: "", bytes: Buffer.alloc(112_000_000, " ") }
    const large = handMadePdf(["BT /F1 48 Tf 60 600 Td (Paraph) Tj ET", filler])
    expect(await rooms.describe(large)).toMatchObject({ pageCount: 2 })
    const picture = await rooms.renderPage(large, { page: 0, widthPx: 600 })
    expect(await darkest(picture?.bytes)).toBeLessThan(60)
  })

  it("prepare a signature that can be finished here", async () => {
    const { certificate, key } = selfSigned()
    const options = {
      fieldName: "Signature1",
      certificate,
      chain: [],
      signedAt: new Date("2026-11-15T10:00:00Z"),
    }
    const prepared = await rooms.prepare(text, options)
    const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), key)
    const signed = Buffer.concat([text, finish(prepared, value)])
    expect(signed.subarray(0, text.length).equals(text)).toBe(true)
    expect(prepared.baseSha256).toBe(createHash("sha256").update(text).digest("hex"))
    const file = join(folder, "signed.pdf")
    writeFileSync(file, signed)
    expect(execFileSync("pdfsig", ["-nocert", file], { encoding: "utf8" })).toContain("Signature is Valid")
    expect((await rooms.describe(signed)).signatureFields).toEqual([{ name: "Signature1", signed: true }])
  })

  it("pass on why a document is refused", async () => {
    await expect(rooms.describe(Buffer.from("no PDF"))).rejects.toSatisfy(isRefused("corrupt"))
    await expect(rooms.renderPage(Buffer.from("no PDF"), { page: 0, widthPx: 9 })).rejects.toSatisfy(
      isRefused("corrupt"),
    )
    writeFileSync(join(folder, "text.pdf"), text)
    execFileSync("qpdf", ["--encrypt", "user", "owner", "256", "--", "text.pdf", "locked.pdf"], {
      cwd: folder,
    })
    const encrypted = readFileSync(join(folder, "locked.pdf"))
    await expect(rooms.describe(encrypted)).rejects.toSatisfy(isRefused("encrypted"))
    await expect(rooms.renderPage(encrypted, { page: 0, widthPx: 9 })).rejects.toSatisfy(
      isRefused("encrypted"),
    )
  })

  it("let a bounded number wait, and serve those that waited", async () => {
    const small = createPdfRooms({ maxConcurrent: 1, maxWaiting: 2 })
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => small.describe(text)))
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"])
    expect(asked[3]).toMatchObject({ reason: expect.any(PdfRoomsBusy) })
    await small.close()
    await expect(small.describe(text)).rejects.toThrow("closed")
  })

  it("leave no process behind", async () => {
    const before = children()
    const passing = createPdfRooms({ warm: 2 })
    await passing.describe(text)
    expect(children().length).toBeGreaterThan(before.length)
    await passing.close()
    expect(children().filter((pid) => !before.includes(pid))).toEqual([])
  })
})

describe("documents made to do harm", () => {
  it("end a page that unpacks to half a gigabyte", async () => {
    const packed = deflateSync(deflateSync(Buffer.alloc(512_000_000, "0 0 m "), { level: 1 }), { level: 9 })
    const bomb = handMadePdf([{ dictionary: "/Filter [/FlateDecode /FlateDecode]", bytes: packed }])
    expect(bomb.length).toBeLessThan(1_000_000)
    const limited = createPdfRooms({ wallMs: 8000 })
    expect(await limited.describe(bomb)).toMatchObject({ pageCount: 1 })
    await expect(limited.renderPage(bomb, { page: 0, widthPx: 600 })).rejects.toSatisfy(
      isRefused("too-complex"),
    )
    await limited.close()
  })

  // biome-ignore lint/style/noProcessEnv: the corpora are found by it.
  const corpora = process.env.PARAPH_CORPORA
  it.skipIf(corpora === undefined)("answer every loop of the PDF101 suite in time", async () => {
    const loops = join(corpora ?? "", "pdf101", "01-dos")
    const files = readdirSync(loops, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".pdf"),
    )
    expect(files.length).toBeGreaterThanOrEqual(21)
    const limited = createPdfRooms({ wallMs: 6000 })
    const asked = files.flatMap((name) => {
      const bytes = readFileSync(join(loops, name))
      return [limited.describe(bytes), limited.renderPage(bytes, { page: 0, widthPx: 600 })]
    })
    const outcomes = await Promise.allSettled(asked)
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(PdfRefused)
    // Two of the page trees bite their own tail, and are told so; nothing had to be killed for it.
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(2)
    expect(await limited.describe(text)).toMatchObject({ pageCount: 2 })
    await limited.close()
  })
})

async function darkest(webp: Uint8Array | undefined): Promise<number> {
  const { channels } = await sharp(webp).greyscale().stats()
  return channels[0]?.min ?? 255
}

function isRefused(code: PdfRefused["code"]) {
  return (error: unknown) => error instanceof PdfRefused && error.code === code
}

function selfSigned() {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl(
    "req",
    "-x509",
    ...curve,
    "-keyout",
    "key.pem",
    "-out",
    "cert.pem",
    "-subj",
    "/CN=Signer",
    "-days",
    "2",
  )
  const certificate = new Uint8Array(openssl("x509", "-in", "cert.pem", "-outform", "DER"))
  return { certificate, key: readFileSync(join(folder, "key.pem")) }
}

function children(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return 0
  }
}
