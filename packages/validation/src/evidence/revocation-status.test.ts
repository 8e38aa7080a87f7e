import { describe, expect, it } from "vitest"
import { decisiveStatus, isPermanent, type RevocationStatus } from "./revocation-status.ts"

const day = (text: string) => new Date(`2026-05-${text}T12:00:00Z`)

function statusOf(
  made: string,
  status: RevocationStatus["status"],
  reason?: RevocationStatus["reason"],
  since = made,
): RevocationStatus {
  return {
    source: {} as RevocationStatus["source"],
    status,
    ...(status === "revoked" && { since: day(since) }),
    ...(reason && { reason }),
    madeAt: day(made),
    thisUpdate: day(made),
    isSound: true,
    signedBy: undefined,
    use: { digests: ["sha256"], scheme: "ecdsa", key: undefined },
  }
}

describe("of several statuses", () => {
  it("the newest decides", () => {
    const [newer, older] = [statusOf("05", "good"), statusOf("03", "good")]
    expect(decisiveStatus([newer, older])).toBe(newer)
    expect(decisiveStatus([])).toBeUndefined()
  })

  it("a permanent revocation decides, also if a good status is newer", () => {
    const revoked = statusOf("04", "revoked", "keyCompromise")
    expect(decisiveStatus([statusOf("05", "good"), revoked, statusOf("03", "good")])).toBe(revoked)
    expect(decisiveStatus([statusOf("05", "good"), statusOf("04", "revoked")])?.status).toBe("revoked")
  })

  it("the earliest revocation decides, whichever was stated last", () => {
    const early = statusOf("06", "revoked", "keyCompromise", "02")
    const late = statusOf("09", "revoked", "superseded", "05")
    expect(decisiveStatus([late, early])).toBe(early)
  })

  it("a hold decides until a later good status ends it", () => {
    const good = statusOf("05", "good")
    const hold = statusOf("04", "revoked", "certificateHold")
    expect(isPermanent(hold)).toBe(false)
    expect(decisiveStatus([good, hold])).toBe(good)
    expect(decisiveStatus([hold, statusOf("03", "good")])).toBe(hold)
  })
})
