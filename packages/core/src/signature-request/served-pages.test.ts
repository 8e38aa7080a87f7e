import { expect, it } from "vitest"
import { readServed, spelledServed } from "./served-pages.ts"

it("[B9] what was served is spelled for each document that was shown, in compact ranges", () => {
  const served = [
    {
      documentId: "d1",
      pageCount: 12,
      sha256: "ab",
      ranges: [
        [1, 3],
        [5, 5],
      ],
    },
    { documentId: "another", pageCount: 1, sha256: "cd", ranges: [[1, 1]] },
  ] as const
  expect(spelledServed(["d1", "d2"], served)).toBe("d1 1-3,5 of 12 sha256 ab; d2 none")
})

it("[B9] and is read back as it was spelled", () => {
  expect(readServed("d1 1-3,5 of 12 sha256 ab; d2 none")).toEqual([
    { documentId: "d1", pages: "1-3,5", pageCount: 12 },
    { documentId: "d2", pages: "", pageCount: null },
  ])
})
