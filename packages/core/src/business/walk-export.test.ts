import { describe, expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import type { Read, Reading, Transact, Tx } from "../ports.ts"
import { beginExport } from "./export.ts"
import { type AskedPage, type ExportCursor, type ExportPart, exportedPlaces } from "./walk-export.ts"

const AT = new Date("2026-11-16T12:00:00.000Z")
const CALLER: Caller = {
  businessId: "b",
  userId: "u",
  username: "ann@acme.example",
  keyId: "k",
  kind: "demo",
  role: "owner",
}

type Row = { readonly createdAt: Date; readonly id: string; readonly files: number | null }

/** Ten of each moment, so that ids decide too. */
const rowsOf = (count: number, files: (n: number) => number | null): readonly Row[] =>
  Array.from({ length: count }, (_, n) => ({
    createdAt: new Date(AT.getTime() - 1e9 + Math.floor(n / 10)),
    id: String(n).padStart(9, "0"),
    files: files(n),
  }))

/** A business with so many rows, and what was asked of it. */
function world(lists: Readonly<Record<ExportPart, readonly Row[]>>) {
  const seen = { most: 0, pages: 0, locked: false, pagesUnderLock: 0 }
  const exportPage = async ({ of, after, until, limit }: AskedPage) => {
    seen.most = Math.max(seen.most, limit)
    seen.pages += 1
    if (seen.locked) seen.pagesUnderLock += 1
    const begin = after === null ? 0 : Number(after.id) + 1
    const rows = lists[of].slice(begin, begin + limit).filter(({ createdAt }) => createdAt <= until)
    const found = rows.flatMap(({ files, ...place }) => (files === null ? [] : [{ ...place, files }]))
    return { found, seen: rows.length, next: rows.length < limit ? null : (rows.at(-1) ?? null) }
  }
  const read: Read = (_, work) => work({ exportPage } as unknown as Reading)
  const audits: object[] = []
  const tx = {
    lockSettings: async () => {
      seen.locked = true
      return { name: "Acme AG" }
    },
    roleOf: async () => "owner",
    appendAudit: async ({ after }: { after: object }) => void audits.push(after),
  } as unknown as Tx
  const transact: Transact = (_, work) =>
    work(tx).finally(() => {
      seen.locked = false
    })
  return { parts: { read, transact, now: () => AT }, seen, audits }
}

/** As somebody follows the links. */
async function archives({ parts }: ReturnType<typeof world>): Promise<string[][]> {
  const all: string[][] = []
  let after: ExportCursor | null = null
  do {
    const begun = await beginExport(parts, CALLER, after)
    const places: string[] = []
    for await (const { of, id } of exportedPlaces(parts, CALLER, begun)) places.push(`${of} ${id}`)
    all.push(places)
    after = begun.next
  } while (after !== null && all.length < 100)
  return all
}

describe("an export", () => {
  it("has each once, over as many archives as it takes, and none with more files than its list may have", async () => {
    const lists = {
      request: rowsOf(20_005, () => 4),
      document: rowsOf(3000, () => 3),
      receipt: rowsOf(60_000, () => 1),
    }
    const there = world(lists)
    const made = await archives(there)
    const wanted = Object.entries(lists).flatMap(([of, rows]) => rows.map(({ id }) => `${of} ${id}`))
    expect(made.flat()).toEqual(wanted)
    const files = { request: 4, document: 3, receipt: 1 }
    for (const places of made) {
      const count = places.reduce((sum, place) => sum + files[place.split(" ")[0] as ExportPart], 0)
      expect(count).toBeLessThanOrEqual(LIMITS.exportedFiles)
    }
    expect(made).toHaveLength(3)
    expect(there.audits).toHaveLength(3)
    expect(there.audits[0]).toEqual({ kind: "demo", requests: 12_500, documents: 0, receipts: 0 })
  })

  it("looks at so many rows for one archive and no more, where hardly one is to be exported", async () => {
    const there = world({
      request: [],
      document: rowsOf(450_000, (n) => (n % 100_000 === 0 ? 3 : null)),
      receipt: rowsOf(1, () => 1),
    })
    const made = await archives(there)
    expect(made.map((places) => places.length)).toEqual([2, 2, 2])
    // Once to find out where each ends, once to write it.
    const looked = 450_000 / LIMITS.exportLookedAtOnce + 450_000 / LIMITS.exportReadAtOnce
    expect(there.seen.pages).toBeLessThan(looked + 20)
  })

  it("asks for nothing while it holds the business, and never for more than a page", async () => {
    const there = world({ request: rowsOf(30_000, () => 4), document: [], receipt: [] })
    await archives(there)
    expect(there.seen).toMatchObject({ most: LIMITS.exportLookedAtOnce, pagesUnderLock: 0 })
  })

  it("is refused to others before anything is looked for", async () => {
    const there = world({ request: rowsOf(10, () => 4), document: [], receipt: [] })
    await expect(beginExport(there.parts, { ...CALLER, role: "member" }, null)).rejects.toThrow("owner")
    expect(there.seen.pages).toBe(0)
  })

  it("ends, whatever is made while it is read", async () => {
    const later = { createdAt: new Date(AT.getTime() + 1), id: "999999999", files: 4 }
    const made = await archives(world({ request: [...rowsOf(5, () => 4), later], document: [], receipt: [] }))
    expect(made).toEqual([[0, 1, 2, 3, 4].map((n) => `request 00000000${n}`)])
  })
})
