import { expect, it } from "vitest"
import { decisiveWord, type Word } from "./revocation-words.ts"

const word = (day: string, status: Word["status"], reason?: Word["reason"]): Word => {
  const madeAt = new Date(`2026-05-${day}T12:00:00Z`)
  return {
    source: {} as Word["source"],
    status,
    ...(status === "revoked" && { since: madeAt }),
    ...(reason && { reason }),
    madeAt,
    thisUpdate: madeAt,
    signedBy: undefined,
    use: { digests: ["sha256"], scheme: "ecdsa", key: undefined },
  }
}

it("of several words the newest decides, unless one says that the certificate is revoked for ever", () => {
  const [good, older] = [word("05", "good"), word("03", "good")]
  const revoked = word("04", "revoked", "keyCompromise")
  expect(decisiveWord([good, older])).toBe(good)
  expect(decisiveWord([good, revoked, older])).toBe(revoked)
  expect(decisiveWord([good, word("04", "revoked"), older])?.status).toBe("revoked")
  expect(decisiveWord([])).toBeUndefined()
})

it("a hold can end: who says so later is believed", () => {
  const good = word("05", "good")
  const hold = word("04", "revoked", "certificateHold")
  expect(decisiveWord([good, hold])).toBe(good)
  expect(decisiveWord([hold, word("03", "good")])).toBe(hold)
})
