import { execFileSync } from "node:child_process"
import { createHash, sign } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { finish } from "@paraph/pades/finish"
import { PdfRefused } from "@paraph/pades/refused"
import type { SealedFile } from "@paraph/seal/file"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { handMadePdf, largePdf } from "../testing/hand-made-pdf.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { selfSigned } from "../testing/self-signed.ts"
import { TENANT } from "../testing/tenant.ts"
import { PdfAskedWrongly, PdfRoomsBusy } from "./failed.ts"
import { createPdfRooms } from "./rooms.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-rooms-"))
// More time than they need by far: what is shown here must not depend on what else the machine does.
const wallMs = 60_000
const rooms = createPdfRooms({ folder, wallMs })
const text = handMadePdf(["BT /F1 48 Tf 60 600 Td (Paraph) Tj ET", ""])
let file: SealedFile

/** The processes that read documents. */
const readers = () =>
  execFileSync("pgrep", ["-P", String(process.pid), "-f", "document-child"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map(Number)

beforeAll(async () => {
  file = await sealed(text)
})

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

describe("the PDF rooms", () => {
  it("describe a document", async () => {
    expect(await rooms.describe(file, TENANT)).toMatchObject({
      pageCount: 2,
      pageWidth: 595,
      pageHeight: 842,
      signatureFields: [],
    })
  })

  it("draw what is on the page, and white where nothing is", async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((page) => rooms.renderPage(file, TENANT, { page, widthPx: 600, format: "webp" })),
    )
    expect(first).toMatchObject({ contentType: "image/webp", widthPx: 600, heightPx: 849 })
    expect(await sharp(first?.bytes).metadata()).toMatchObject({ format: "webp", width: 600, height: 849 })
    expect(await darkest(first?.bytes)).toBeLessThan(60)
    expect(await darkest(second?.bytes)).toBeGreaterThan(250)
    expect(await rooms.renderPage(file, TENANT, { page: 2, widthPx: 600, format: "webp" })).toBeNull()
  })

  it("draw a page as large as a browser shows it, or a part of that", async () => {
    const [whole, fifth] = await Promise.all(
      [100, 20].map((scale) => rooms.renderPage(file, TENANT, { page: 0, scale, format: "png" })),
    )
    expect(whole).toMatchObject({ contentType: "image/png", widthPx: 793, heightPx: 1122 })
    expect(await sharp(whole?.bytes).metadata()).toMatchObject({ format: "png", width: 793, height: 1122 })
    expect(await darkest(whole?.bytes)).toBeLessThan(60)
    expect(fifth).toMatchObject({ widthPx: 159, heightPx: 225 })
  })

  it("keep a picture within bounds, whatever size is asked for", async () => {
    const sizes = [{ widthPx: 1e9 }, { scale: 1e9 }, { widthPx: -5 }, { scale: 0 }]
    const [wide, scaled, narrow, nothing] = await Promise.all(
      sizes.map((size) => rooms.renderPage(file, TENANT, { page: 0, ...size, format: "webp" })),
    )
    for (const large of [wide, scaled])
      expect((large?.widthPx ?? 0) * (large?.heightPx ?? 0)).toBeLessThanOrEqual(8_000_000)
    expect([narrow?.widthPx, nothing?.widthPx]).toEqual([16, 16])
  })

  it("prepare a signature that can be finished here", async () => {
    const { certificate, key } = selfSigned(folder)
    const options = {
      fieldName: "Signature1",
      certificate,
      chain: [],
      signedAt: new Date("2026-11-15T10:00:00Z"),
    }
    const prepared = await rooms.prepare(file, TENANT, options)
    const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), key)
    const signed = Buffer.concat([text, finish(prepared, value)])
    expect(prepared.baseSha256).toBe(createHash("sha256").update(text).digest("hex"))
    writeFileSync(join(folder, "signed.pdf"), signed)
    const judged = execFileSync("pdfsig", ["-nocert", join(folder, "signed.pdf")], { encoding: "utf8" })
    expect(judged).toContain("Signature is Valid")
    expect((await rooms.describe(await sealed(signed), TENANT)).signatureFields).toMatchObject([
      { name: "Signature1", signed: true },
    ])
    const place = { page: 7, x: 0, y: 0, width: 100, height: 50 }
    await expect(rooms.prepare(file, TENANT, { ...options, place })).rejects.toBeInstanceOf(PdfAskedWrongly)
    const again = await rooms.prepare(await sealed(signed), TENANT, options).catch((error: unknown) => error)
    expect(again).toBeInstanceOf(PdfAskedWrongly)
    expect(again).toMatchObject({ message: "The field of this name is signed already." })
  })

  it("[R18] have versions of one business looked at by one process, and those of another by another", async () => {
    const another = await sealed(handMadePdf(["", "", ""]))
    const onlyTheWarm = () => vi.waitFor(() => expect(readers()).toHaveLength(2), { timeout: 15_000 })
    await onlyTheWarm()
    expect(await rooms.describe(file, { businessId: "a", kind: "production" }, "ours")).toMatchObject({
      pageCount: 2,
    })
    await vi.waitFor(() => expect(readers()).toHaveLength(3))
    const before = readers()
    expect(await rooms.describe(another, { businessId: "a", kind: "production" }, "ours")).toMatchObject({
      pageCount: 3,
    })
    expect(await rooms.describe(file, { businessId: "a", kind: "production" }, "ours")).toMatchObject({
      pageCount: 2,
    })
    expect(readers()).toEqual(before)
    expect(await rooms.describe(file, { businessId: "b", kind: "production" }, "ours")).toMatchObject({
      pageCount: 2,
    })
    await vi.waitFor(() => expect(readers()).toHaveLength(4))
    // What ends it is not held against it where it has read others.
    const broken = await sealed(Buffer.from("no PDF"))
    await expect(
      rooms.describe(broken, { businessId: "a", kind: "production" }, "ours"),
    ).rejects.toMatchObject({ code: "corrupt" })
    expect(before.every((pid) => readers().includes(pid))).toBe(false)
    await onlyTheWarm()
  }, 60_000)

  it("raise what they prepared in the process that has read it, or in another where that one is gone", async () => {
    const { certificate, key } = selfSigned(folder)
    const signedAt = new Date("2026-11-15T10:00:00Z")
    const raised = async (between: () => Promise<unknown> = async () => undefined) => {
      const prepared = await rooms.prepare(
        file,
        TENANT,
        { fieldName: "Signature1", certificate, chain: [], signedAt },
        { stays: true },
      )
      const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), key)
      await between()
      const asked = {
        to: "B-T",
        tail: finish(prepared, value),
        now: signedAt,
        fields: ["Signature1"],
      } as const
      const nobody = () => Promise.reject(new Error("Nobody is there."))
      return rooms.raise(file, TENANT, { ...asked, anchors: [], certificates: [] }, nobody)
    }
    // Two wait for documents. A third would be the one that prepared, and was not asked again.
    const onlyTheWarm = () => vi.waitFor(() => expect(readers()).toHaveLength(2), { timeout: 8_000 })
    await onlyTheWarm()
    await expect(raised()).rejects.toMatchObject({ want: "timestamp" })
    await onlyTheWarm()
    const killAll = async () => {
      const all = readers()
      for (const pid of all) process.kill(pid, "SIGKILL")
      await vi.waitUntil(() => all.every((pid) => !existsSync(`/proc/${pid}`)))
      // They are known to have ended with the next turn.
      await new Promise((next) => setTimeout(next, 50))
    }
    await expect(raised(killAll)).rejects.toMatchObject({ want: "timestamp" })
  })

  it("put a text across the pages, which is then to be seen", async () => {
    const tail = await rooms.watermark(file, TENANT, { text: "Draft", opacity: 1 })
    const marked = await sealed(Buffer.concat([text, tail]))
    const second = await rooms.renderPage(marked, TENANT, { page: 1, widthPx: 600, format: "webp" })
    expect(await darkest(second?.bytes)).toBeLessThan(200)
  })

  it("tell what was asked wrongly, in the words of those who know", async () => {
    const wrong = async (options: object) =>
      rooms.watermark(file, TENANT, { text: "Draft", ...options }).catch((error: unknown) => error)
    const told = await Promise.all([{ text: "" }, { opacity: 2 }, { pages: [2] }].map(wrong))
    for (const error of told) expect(error).toBeInstanceOf(PdfAskedWrongly)
    expect(told).toMatchObject([
      { message: "The text of a watermark has 1 to 200 characters." },
      { message: "An opacity lies between 0 and 1." },
      { message: "The PDF has no page of index 2." },
    ])
  })

  it("pass on why a document is refused", async () => {
    const page = { page: 0, widthPx: 9, format: "webp" } as const
    const none = await sealed(Buffer.from("no PDF"))
    await expect(rooms.describe(none, TENANT)).rejects.toSatisfy(isRefused("corrupt"))
    await expect(rooms.renderPage(none, TENANT, page)).rejects.toSatisfy(isRefused("corrupt"))
    writeFileSync(join(folder, "text.pdf"), text)
    const how = ["--encrypt", "user", "owner", "256", "--", "text.pdf", "locked.pdf"]
    execFileSync("qpdf", how, { cwd: folder })
    const encrypted = await sealed(readFileSync(join(folder, "locked.pdf")))
    await expect(rooms.describe(encrypted, TENANT)).rejects.toSatisfy(isRefused("encrypted"))
    await expect(rooms.renderPage(encrypted, TENANT, page)).rejects.toSatisfy(isRefused("encrypted"))
  })

  it("do not blame a document for a sealed file that is not whole, or not theirs", async () => {
    const cut = await sealed(text)
    writeFileSync(cut.path, readFileSync(cut.path).subarray(0, -1))
    const changed = await sealed(text)
    // One bit turned over: a byte set to a value may have had it already (1 time in 256).
    const bytes = readFileSync(changed.path)
    writeFileSync(changed.path, bytes.fill((bytes[100] ?? 0) ^ 1, 100, 101))
    const page = { page: 0, widthPx: 600, format: "webp" } as const
    for (const broken of [cut, changed, { ...file, path: join(folder, "nowhere") }])
      for (const ask of [() => rooms.describe(broken, TENANT), () => rooms.renderPage(broken, TENANT, page)])
        await expect(ask()).rejects.toSatisfy((error) => !(error instanceof PdfRefused))
    const elsewhere = { ...file, path: join(tmpdir(), "elsewhere") }
    await expect(rooms.describe(elsewhere, TENANT)).rejects.toThrow("not in the folder")
  })

  it("let a bounded number wait, and serve those that waited", async () => {
    const few = createPdfRooms({ folder, wallMs, small: 1, maxWaiting: 2 })
    const asked = await Promise.allSettled(
      ["a", "b", "c", "d"].map((businessId) => few.describe(file, { ...TENANT, businessId })),
    )
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"])
    expect(asked[3]).toMatchObject({ reason: expect.any(PdfRoomsBusy) })
    await few.close()
    await expect(few.describe(file, TENANT)).rejects.toThrow("closed")
  })

  it("have places for small documents that no big one takes", async () => {
    const big = await sealed(largePdf(9_000_000))
    const two = createPdfRooms({ folder, wallMs, bulk: 1, small: 1 })
    const order: string[] = []
    const describeAs = (name: string, one: SealedFile) =>
      two.describe(one, TENANT).then(() => order.push(name))
    // So many that its own process has time to start; without a place of its own it would be the last.
    const all = Array.from({ length: 12 }, (_, n) => `big ${n}`)
    await Promise.all([...all.map((name) => describeAs(name, big)), describeAs("small", file)])
    expect(order.filter((name) => name !== "small")).toEqual(all)
    expect(order.at(-1)).not.toBe("small")
    await two.close()
  })

  it("draw in places of their own, so that no page keeps a document from being read", async () => {
    const one = createPdfRooms({ folder, wallMs, small: 1, maxWaiting: 1 })
    const order: string[] = []
    const pages = Array.from({ length: 6 }, () =>
      one.renderPage(file, TENANT, { page: 0, widthPx: 100, format: "webp" }).then(() => order.push("page")),
    )
    await Promise.all([
      ...pages,
      ...["first", "second"].map(() => one.describe(file, TENANT).then(() => order.push("read"))),
    ])
    expect(order.lastIndexOf("read")).toBeLessThan(order.lastIndexOf("page"))
    expect(order.length).toBe(8)
    await one.close()
  })

  it("let a big document give way to small ones on the processor, too", async () => {
    const before = children()
    const own = createPdfRooms({ folder, wallMs, warm: 0 })
    const asked = own.describe(await sealed(largePdf(9_000_000)), TENANT)
    await new Promise((resolve) => setImmediate(resolve))
    const fresh = children().filter((pid) => !before.includes(pid))
    // Those that compile ahead are beside it, and as urgent as we are.
    const less = fresh.map((pid) => getPriority(Number(pid))).filter((priority) => priority !== getPriority())
    expect(less).toEqual([getPriority() + 5])
    await asked
    await own.close()
  })

  it("leave no process behind", async () => {
    const before = children()
    const passing = createPdfRooms({ folder, wallMs, warm: 2 })
    await passing.describe(file, TENANT)
    expect(children().length).toBeGreaterThan(before.length)
    await passing.close()
    expect(children().filter((pid) => !before.includes(pid))).toEqual([])
  })
})

const sealed = (bytes: Uint8Array) => sealedFileOf(bytes, folder)

async function darkest(webp: Uint8Array | undefined): Promise<number> {
  const { channels } = await sharp(webp).greyscale().stats()
  return channels[0]?.min ?? 255
}

function isRefused(code: PdfRefused["code"]) {
  return (error: unknown) => error instanceof PdfRefused && error.code === code
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
