import { describe, expect, it, vi } from "vitest"
import type { Caller } from "../access/caller.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { SAMPLE_TIME } from "../testing/sample.ts"
import type { Inspection } from "./model.ts"
import type { Held } from "./ports.ts"
import { type IntakeParts, takeIn } from "./take-in.ts"

const caller: Caller = { businessId: "b1", userId: "u1", username: "acme", keyId: "k1", kind: "demo" }
const good: Inspection = {
  pageCount: 2,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 2, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: "PDF/A-2B",
  locked: false,
  active: [],
  view: [],
}

/** What happened, in order, beside what came out. */
function newIntake(more: Partial<IntakeParts> = {}) {
  const happened: string[] = []
  const held: Held = {
    businessId: "b1",
    kind: "production",
    name: "documents/1",
    sizeBytes: 7,
    sha256: "ab",
    file: { path: "/spool/1", key: new Uint8Array(32), context: "", sizeBytes: 7 },
    release: async () => void happened.push("released"),
  }
  const parts: IntakeParts = {
    fetchFile: async () => ({ contentType: "application/pdf", bytes: pieces("%PDF-1.7", happened) }),
    holdBytes: async (_, bytes) => {
      for await (const _ of bytes) happened.push("read a piece")
      return held
    },
    inspectPdf: async () => good,
    flattenPdf: async () => ({ bytes: new Uint8Array(), changes: ["The layer ends."] }),
    scanBytes: async () => undefined,
    keepHeld: async () => {
      happened.push("kept")
      return { name: held.name, wrappedKey: new Uint8Array(), keyVersion: 1 }
    },
    abandon: async ({ name }) => void happened.push(`abandoned ${name}`),
    now: () => SAMPLE_TIME,
    newId: () => "d1",
    ...more,
  }
  const content = { type: "content", content: held, contentType: "application/pdf" } as const
  return { parts, happened, content }
}

describe("taking a document in", () => {
  it("gives a document of the caller with what was found in it, and lets go of the file", async () => {
    const { parts, happened, content } = newIntake()
    const document = await takeIn(parts, caller, "Lease", content)
    expect(document).toMatchObject({
      id: "d1",
      ownerId: "u1",
      title: "Lease",
      pageCount: 2,
      pdfa: "PDF/A-2B",
    })
    expect(document).toMatchObject({ sizeBytes: 7, sha256: "ab", parentId: null, removingSince: null })
    expect(happened).toEqual(["kept", "released"])
  })

  it.each<[string, Partial<IntakeParts>, RefusalCode]>([
    ["is damaged", { inspectPdf: refusing("pdf-corrupt") }, "pdf-corrupt"],
    ["may not be changed", { inspectPdf: async () => ({ ...good, locked: true }) }, "pdf-locked"],
    ["acts by itself", { inspectPdf: async () => ({ ...good, active: ["It runs."] }) }, "pdf-active-content"],
    [
      "looks different in print",
      {
        inspectPdf: async () => ({
          ...good,
          view: [{ reason: "screen-print-difference", detail: "Page 1 differs." }],
        }),
      },
      "pdf-ambiguous-view",
    ],
    [
      "cannot be rendered, while the scanner is down",
      {
        inspectPdf: async () => ({
          ...good,
          view: [{ reason: "page-not-renderable", detail: "Page 1 cannot be opened." }],
        }),
        scanBytes: refusing("part-down"),
      },
      "pdf-not-renderable",
    ],
  ])("stores nothing of a document that %s", async (_, more, code) => {
    const { parts, happened, content } = newIntake(more)
    await expect(takeIn(parts, caller, "Lease", content)).rejects.toMatchObject({ code })
    expect(happened).toEqual(["released"])
  })

  it.each<RefusalCode>(["pdf-too-complex", "pdf-encrypted", "part-down"])(
    "[B4] never gives the malware scanner a document that the look refused as %s",
    async (code) => {
      const scanBytes = vi.fn(async () => undefined)
      const { parts, happened, content } = newIntake({ inspectPdf: refusing(code), scanBytes })
      await expect(takeIn(parts, caller, "Lease", content)).rejects.toMatchObject({ code })
      expect(scanBytes).not.toHaveBeenCalled()
      expect(happened).toEqual(["released"])
    },
  )

  it("[B4] gives the malware scanner a document only after the look has accepted it", async () => {
    const order: string[] = []
    const { parts, content } = newIntake({
      inspectPdf: async () => {
        order.push("look")
        await Promise.resolve()
        order.push("looked")
        return good
      },
      scanBytes: async () => void order.push("scan"),
    })
    await takeIn(parts, caller, "Lease", content)
    expect(order).toEqual(["look", "looked", "scan"])
  })

  it.each<[string, Partial<IntakeParts>, RefusalCode]>([
    ["holds malware", { scanBytes: refusing("malware-detected") }, "malware-detected"],
    ["could not be scanned", { scanBytes: refusing("part-down") }, "part-down"],
  ])("abandons what was stored of a document that %s", async (_, more, code) => {
    const { parts, happened, content } = newIntake(more)
    await expect(takeIn(parts, caller, "Lease", content)).rejects.toMatchObject({ code })
    expect(happened).toEqual(["kept", "abandoned documents/1", "released"])
  })

  it("tells of malware before anything else, since mending the rest would be of no use", async () => {
    const { parts, content } = newIntake({
      inspectPdf: refusing("pdf-corrupt"),
      scanBytes: refusing("malware-detected"),
    })
    await expect(takeIn(parts, caller, "Lease", content)).rejects.toMatchObject({ code: "malware-detected" })
  })

  it("waits for all that goes on side by side before it lets go of the file", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { parts, happened, content } = newIntake({
      inspectPdf: refusing("pdf-corrupt"),
      scanBytes: async () => {
        await promise
        happened.push("scanned")
      },
    })
    const taken = takeIn(parts, caller, "Lease", content)
    resolve()
    await expect(taken).rejects.toBeInstanceOf(Refusal)
    expect(happened.indexOf("scanned")).toBeLessThan(happened.indexOf("released"))
  })

  it("abandons nothing where nothing was stored", async () => {
    const { parts, happened, content } = newIntake({ keepHeld: refusing("part-down") })
    await expect(takeIn(parts, caller, "Lease", content)).rejects.toMatchObject({ code: "part-down" })
    expect(happened).toEqual(["released"])
  })

  it.each(["application/pdf", "Application/PDF; charset=binary"])(
    "takes a download of type %s",
    async (type) => {
      const { parts, happened } = newIntake()
      const fetchFile: IntakeParts["fetchFile"] = async (url, maxBytes) => ({
        ...(await parts.fetchFile(url, maxBytes)),
        contentType: type,
      })
      await takeIn({ ...parts, fetchFile }, caller, "Lease", { type: "file-url", url: "https://a.example" })
      expect(happened).toContain("read a piece")
    },
  )

  it.each(["text/html", "", "application/pdfx"])(
    "reads no download of type %j, and tells its sender",
    async (type) => {
      const { parts, happened } = newIntake()
      const fetchFile: IntakeParts["fetchFile"] = async (url, maxBytes) => ({
        ...(await parts.fetchFile(url, maxBytes)),
        contentType: type,
      })
      const source = { type: "file-url", url: "https://a.example" } as const
      await expect(takeIn({ ...parts, fetchFile }, caller, "Lease", source)).rejects.toMatchObject({
        code: "pdf-not-a-pdf",
      })
      expect(happened).toEqual(["left"])
    },
  )
})

const refusing = (code: RefusalCode) => async () => {
  throw new Refusal(code, "")
}

async function* pieces(text: string, happened: string[]) {
  try {
    for (const letter of text) yield Uint8Array.of(letter.charCodeAt(0))
  } finally {
    happened.push("left")
  }
}
