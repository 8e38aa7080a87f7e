import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createOwnDatabase, NOW, type OwnDatabase } from "../testing/own-database.ts"
import { claimLook, keepLists, listsVersion, readLists } from "./trusted-lists.ts"

let database: OwnDatabase
beforeAll(async () => {
  database = await createOwnDatabase({ migrated: true })
})
afterAll(() => database?.close())

const HOUR_MS = 3_600_000
const later = (ms: number) => new Date(NOW.getTime() + ms)
const bytes = (text: string) => Buffer.from(text)

describe("trusted lists", () => {
  it("are looked for by one worker, again after the time has passed, or where the clock was put back", async () => {
    const { db } = database
    expect(await listsVersion(db)).toBeNull()
    const claims = await Promise.all([1, 2, 3].map(() => claimLook(db, NOW, HOUR_MS)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await claimLook(db, later(HOUR_MS - 1), HOUR_MS)).toBe(false)
    expect(await claimLook(db, later(HOUR_MS), HOUR_MS)).toBe(true)
    expect(await claimLook(db, later(-HOUR_MS), HOUR_MS)).toBe(true)
  })

  it("are those of the last look, and their version grows when they change", async () => {
    const { db } = database
    const keep = (lists: Readonly<Record<string, string>>) =>
      keepLists(db, new Map(Object.entries(lists).map(([name, text]) => [name, bytes(text)])), [], NOW)
    const versions: (string | null)[] = []
    for (const lists of [
      { a: "1", b: "1" },
      { a: "1", b: "1" },
      { a: "1", b: "2" },
      { b: "2" },
      { b: "2" },
    ] as Record<string, string>[]) {
      await keep(lists)
      versions.push(await listsVersion(db))
      const kept = [...(await readLists(db))].map(([name, one]) => [name, String(one)])
      expect(Object.fromEntries(kept)).toEqual(lists)
    }
    expect(versions).toEqual(["1", "1", "2", "3", "3"])
  })
})
