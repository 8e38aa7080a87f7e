import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isSameHash, leafHash } from "./hash.ts"
import { proveConsistency, proveInclusion } from "./prove.ts"
import { TlogRefused } from "./refused.ts"
import { entryOf, leavesOf, MemoryLog, rootOf, uniformTiles } from "./testing/memory-log.ts"
import { tilesOf } from "./tile.ts"
import { openTree } from "./tree.ts"
import { verifyConsistency, verifyInclusion } from "./verify-proof.ts"

const MAX_SIZE = 70_000
const log = new MemoryLog()
await log.add(MAX_SIZE)
const heads = async (size: number) => {
  const tree = openTree(size, log.readTile)
  return { tree, head: { size, root: await tree.root() } }
}
const sizes = fc.oneof(fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 1, max: MAX_SIZE }))

describe("a tree in tiles", () => {
  it("has the root of RFC 6962, 2.1 at every size", async () => {
    const leaves = leavesOf(0, 1200)
    for (let size = 0; size <= leaves.length; size++) {
      const { head } = await heads(size)
      expect(isSameHash(head.root, rootOf(leaves.slice(0, size))), String(size)).toBe(true)
    }
  })

  it("has the tiles that the specification counts for 70,000 entries and for 256", () => {
    const count = (size: number) => {
      const widths = new Map<string, number>()
      for (const { level, width } of tilesOf(size))
        widths.set(`${level} ${width}`, (widths.get(`${level} ${width}`) ?? 0) + 1)
      return Object.fromEntries(widths)
    }
    expect(count(70_000)).toEqual({ "0 256": 273, "0 112": 1, "1 256": 1, "1 17": 1, "2 1": 1 })
    expect(count(256)).toEqual({ "0 256": 1, "1 1": 1 })
    expect(log.tiles.size).toBe([...tilesOf(MAX_SIZE)].length)
  })

  it("is the same tree, however it grew", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 8 }), async (steps) => {
        const grown = new MemoryLog()
        for (const step of steps) await grown.add(step)
        const once = new MemoryLog()
        await once.add(grown.size)
        expect(isSameHash(grown.root, once.root)).toBe(true)
        expect([...grown.tiles].sort()).toEqual([...once.tiles].sort())
      }),
      { numRuns: 60 },
    )
  })

  it("asks for the last tile of each level to grow, and no other", async () => {
    const grown = new MemoryLog()
    await grown.add(66_000)
    grown.asked = 0
    await grown.add(3)
    expect(grown.asked).toBeLessThanOrEqual(6)
  })

  it("proves of every leaf that it is in it, to whoever knows the root, and of nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, at, place) => {
        const index = at % size
        const { tree, head } = await heads(size)
        const proof = await proveInclusion(tree, index)
        const leaf = { hash: leafHash(entryOf(index)), index }
        expect(verifyInclusion(leaf, head, proof)).toBe(true)
        expect(verifyInclusion({ ...leaf, hash: leafHash(entryOf(index + 1)) }, head, proof)).toBe(false)
        expect(verifyInclusion({ ...leaf, index: index + 1 }, head, proof)).toBe(false)
        expect(verifyInclusion(leaf, { ...head, size: size + size }, proof)).toBe(false)
        expect(verifyInclusion(leaf, head, [...proof, leaf.hash])).toBe(false)
        if (proof.length === 0) return
        expect(verifyInclusion(leaf, head, proof.slice(1))).toBe(false)
        expect(verifyInclusion(leaf, head, flipped(proof, place))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it("proves that it begins with every older one, and with no other", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, at, place) => {
        const older = 1 + (at % size)
        const { tree, head } = await heads(size)
        const before = (await heads(older)).head
        const proof = await proveConsistency(tree, older)
        expect(verifyConsistency(before, head, proof)).toBe(true)
        const other = { ...before, root: leafHash(before.root) }
        expect(verifyConsistency(other, head, proof)).toBe(false)
        expect(verifyConsistency(before, { ...head, root: leafHash(head.root) }, proof)).toBe(false)
        expect(verifyConsistency(before, head, [...proof, before.root])).toBe(false)
        if (older < size) expect(verifyConsistency(head, before, proof)).toBe(false)
        if (proof.length > 0) expect(verifyConsistency(before, head, flipped(proof, place))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it("goes beyond 32 bits", async () => {
    const size = 2 ** 45 + 2 ** 33 + 12_345
    const leaf = leafHash(entryOf(1))
    const tree = openTree(size, uniformTiles(leaf))
    const head = { size, root: await tree.root() }
    for (const index of [0, 2 ** 33 + 1, 2 ** 45 - 1, 2 ** 45, size - 1])
      expect(verifyInclusion({ hash: leaf, index }, head, await proveInclusion(tree, index))).toBe(true)
    const older = 2 ** 40 + 77
    const root = await openTree(older, uniformTiles(leaf)).root()
    expect(verifyConsistency({ size: older, root }, head, await proveConsistency(tree, older))).toBe(true)
  })

  it("refuses what it cannot prove, and tiles that are cut", async () => {
    const { tree } = await heads(10)
    await expect(proveInclusion(tree, 10)).rejects.toThrow(TlogRefused)
    await expect(proveInclusion(tree, -1)).rejects.toThrow(TlogRefused)
    await expect(proveConsistency(tree, 11)).rejects.toThrow(TlogRefused)
    expect(() => openTree(-1, log.readTile)).toThrow(TlogRefused)
    const cut = openTree(10, async (tile) => (await log.readTile(tile)).subarray(0, 9 * 32))
    await expect(cut.root()).rejects.toThrow(TlogRefused)
  })
})

function flipped(proof: readonly Uint8Array[], place: number): readonly Uint8Array[] {
  return proof.map((hash, i) => {
    if (i !== place % proof.length) return hash
    const copy = Uint8Array.from(hash)
    copy[place % copy.length] = (copy[place % copy.length] ?? 0) ^ (1 << (place % 8))
    return copy
  })
}
