import { expect, it } from "vitest"
import { selectCandidates } from "./candidates.ts"

type Item = { readonly revoked: boolean; readonly day: number }
const select = (items: readonly Item[]) =>
  selectCandidates(
    items,
    ({ revoked }) => revoked,
    ({ day }) => new Date(Date.UTC(2026, 0, day)),
  )

it("takes claimed revocations first, then the newest", () => {
  const items = [
    { revoked: false, day: 9 },
    { revoked: true, day: 1 },
    { revoked: false, day: 12 },
    { revoked: true, day: 4 },
  ]
  expect(select(items).map(({ day }) => day)).toEqual([4, 1, 12, 9])
})

it("refuses more claims than are evaluated, because any of them may be genuine", () => {
  const claims = Array.from({ length: 65 }, (_, i) => ({ revoked: true, day: i }))
  expect(select(claims.slice(1))).toHaveLength(64)
  expect(() => select(claims)).toThrow("more revocation information")
})

it("keeps a revocation, however many newer good ones there are", () => {
  const many = Array.from({ length: 500 }, (_, i) => ({ revoked: false, day: 10 + i }))
  const selected = select([...many, { revoked: true, day: 1 }])
  expect(selected).toHaveLength(64)
  expect(selected[0]).toEqual({ revoked: true, day: 1 })
})
