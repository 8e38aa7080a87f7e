import { expect, it } from "vitest"
import { decisiveStatus, type RevocationStatus } from "./revocation-status.ts"

const status = (
  day: string,
  status: RevocationStatus["status"],
  reason?: RevocationStatus["reason"],
): RevocationStatus => {
  const madeAt = new Date(`2026-05-${day}T12:00:00Z`)
  return {
    source: {} as RevocationStatus["source"],
    status,
    ...(status === "revoked" && { since: madeAt }),
    ...(reason && { reason }),
    madeAt,
    thisUpdate: madeAt,
    signedBy: undefined,
    use: { digests: ["sha256"], scheme: "ecdsa", key: undefined },
  }
}

it("of several revocation the newest decides, unless one says that the certificate is revoked for ever", () => {
  const [good, older] = [status("05", "good"), status("03", "good")]
  const revoked = status("04", "revoked", "keyCompromise")
  expect(decisiveStatus([good, older])).toBe(good)
  expect(decisiveStatus([good, revoked, older])).toBe(revoked)
  expect(decisiveStatus([good, status("04", "revoked"), older])?.status).toBe("revoked")
  expect(decisiveStatus([])).toBeUndefined()
})

it("a hold can end: who says so later is believed", () => {
  const good = status("05", "good")
  const hold = status("04", "revoked", "certificateHold")
  expect(decisiveStatus([good, hold])).toBe(good)
  expect(decisiveStatus([hold, status("03", "good")])).toBe(hold)
})
