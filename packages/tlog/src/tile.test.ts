import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readEntryBundle, writeEntryBundle } from "./entry-bundle.ts"
import { TlogRefused } from "./refused.ts"
import { entriesPath, readTilePath, tilePath } from "./tile.ts"

describe("the path of a tile", () => {
  it("is that of the specification", () => {
    expect(tilePath({ level: 0, n: 1_234_067, width: 256 })).toBe("tile/0/x001/x234/067")
    expect(tilePath({ level: 2, n: 0, width: 17 })).toBe("tile/2/000.p/17")
    expect(entriesPath({ n: 999, width: 1 })).toBe("tile/entries/999.p/1")
    expect(entriesPath({ n: 1000, width: 256 })).toBe("tile/entries/x001/000")
  })

  it("is read back, and written in one way only", () => {
    const tiles = fc.record({
      level: fc.integer({ min: 0, max: 63 }),
      n: fc.maxSafeNat(),
      width: fc.integer({ min: 1, max: 256 }),
      entries: fc.boolean(),
    })
    fc.assert(
      fc.property(tiles, ({ entries, ...told }) => {
        const tile = entries ? { ...told, level: 0 } : told
        expect(readTilePath(entries ? entriesPath(tile) : tilePath(tile))).toEqual({ ...tile, entries })
      }),
    )
    for (const path of [
      "tile/0/x000/001",
      "tile/00/001",
      "tile/64/001",
      "tile/0/1",
      "tile/0/001.p/0",
      "tile/0/001.p/256",
      "tile/0/001.p/01",
      "tile/0/001/",
      "tile/0/001.p/257",
      "tile/entries/001.p/999",
      "tile/0/../0",
      "tile/-1/000",
      "tile/entries/x001",
      "/tile/0/000",
      `tile/0/${"x999/".repeat(9)}999`,
      "",
    ])
      expect([path, readTilePath(path)]).toEqual([path, undefined])
  })
})

describe("a bundle of entries", () => {
  it("is read back", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (entries) => {
        expect(readEntryBundle(writeEntryBundle(entries)).map((one) => Uint8Array.from(one))).toEqual(entries)
      }),
    )
  })

  it("is refused where it is cut, and takes no entry that is too long", () => {
    const bundle = writeEntryBundle([Uint8Array.of(1, 2, 3)])
    for (let length = 1; length < bundle.length; length++)
      expect(() => readEntryBundle(bundle.subarray(0, length))).toThrow(TlogRefused)
    expect(() => writeEntryBundle([new Uint8Array(65_536)])).toThrow(TlogRefused)
  })
})
