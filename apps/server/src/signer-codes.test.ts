import { createHmac } from "node:crypto"
import type { OneTimeCode } from "@paraph/core/one-time-code/model"
import { describe, expect, it } from "vitest"
import { hashingCodes, makingCodes } from "./signer-codes.ts"

const PEPPER = Buffer.alloc(32, 7)
const ASKED: OneTimeCode = {
  purpose: "mailbox",
  signatureId: "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
  sessionHash: Uint8Array.of(1, 2, 3),
  binding: "",
  number: 1,
  codeHash: null,
  askedAt: new Date("2026-11-02T09:00:00.000Z"),
  attemptsLeft: 5,
  asked: [],
  wrong: 0,
}
/** Each differs from the others in one thing that a code is bound to. */
const OTHERS: readonly OneTimeCode[] = [
  { ...ASKED, number: 2 },
  { ...ASKED, sessionHash: Uint8Array.of(1, 2, 4) },
  { ...ASKED, signatureId: "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c12" },
  { ...ASKED, purpose: "release", binding: "a" },
  { ...ASKED, purpose: "release", binding: "b" },
]

describe("the codes of signers", () => {
  const codeFor = makingCodes(PEPPER)
  const hashes = hashingCodes({ current: { id: "one", bytes: PEPPER }, earlier: [] })
  const hash = (...of: Parameters<typeof hashes>) => hashes(...of).current

  it("are the same for one asking, however often it is tried, and of another key another", () => {
    const late = { ...ASKED, attemptsLeft: 1, wrong: 4, codeHash: Uint8Array.of(9) }
    expect(codeFor(late)).toBe(codeFor(ASKED))
    const others = Array.from({ length: 20 }, (_, n) => makingCodes(Buffer.alloc(32, 8 + n))(ASKED))
    expect(new Set([codeFor(ASKED), ...others]).size).toBeGreaterThan(15)
  })

  it("have six digits, each as often as another", () => {
    const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0))
    for (let number = 1; number <= 20_000; number += 1) {
      const code = codeFor({ ...ASKED, number })
      if (!/^\d{6}$/.test(code)) throw new Error(`It was ${code}.`)
      for (const [place, digit] of Array.from(code, Number).entries()) {
        const row = counts[place] ?? []
        row[digit] = (row[digit] ?? 0) + 1
      }
    }
    // 2000 of each; with a standard deviation of 42, none is off by 300.
    for (const count of counts.flat()) expect(Math.abs(count - 2000)).toBeLessThan(300)
  })

  it("are hashed with all that they are bound to, and one for a mailbox as the version before did", () => {
    const hashes = [ASKED, ...OTHERS].map((of) => Buffer.from(hash(of, "482913")).toString("hex"))
    expect(new Set(hashes).size).toBe(1 + OTHERS.length)
    expect(hash(ASKED, "482914")).not.toEqual(hash(ASKED, "482913"))
    const key = createHmac("sha256", PEPPER).update("signer codes").digest()
    const before = createHmac("sha256", key).update(`${ASKED.signatureId} 010203 1 482913`).digest("hex")
    expect(hashes[0]).toBe(before)
  })
})
