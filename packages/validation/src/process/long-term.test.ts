// Which issues of a chain are settled from the time at which the signature is proved to have existed (EN 319 102-1, 5.5.4).

import { beforeAll, describe, expect, it } from "vitest"
import { type ChainIssue, type ChainIssueKind, issueOf } from "../block/chain-issue.ts"
import { type Context, createContext } from "../context.ts"
import type { RevocationStatus } from "../evidence/revocation-status.ts"
import type { SubIndication } from "../indication.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import { type Holder, newRoot } from "../testing/keys.ts"
import { withTime } from "./long-term.ts"

const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)
const NOW = at("11-18")
const EXISTED = at("05-20")

let ada: Holder
let context: Context
beforeAll(async () => {
  ada = await newRoot({ name: "Ada", notBefore: at("01-01"), notAfter: at("12-31") })
  const evidence = { certificates: [], answers: [], lists: [], locations: new Map() }
  context = createContext(DEFAULT_POLICY, NOW, { anchors: [], services: [] }, evidence)
})

const statusOf = (more: Partial<RevocationStatus>): RevocationStatus => ({
  source: {} as RevocationStatus["source"],
  status: "good",
  madeAt: EXISTED,
  thisUpdate: EXISTED,
  isSound: true,
  signedBy: undefined,
  use: { digests: ["sha256"], scheme: "ecdsa", key: undefined },
  ...more,
})

const issue = (kind: ChainIssueKind, subIndication: SubIndication, status?: RevocationStatus): ChainIssue =>
  issueOf(kind, subIndication, 0, ["no-chain"], status)

function outcome(issues: readonly ChainIssue[], existedAt = EXISTED) {
  const { indication, subIndication } = withTime(
    context,
    ada.certificate,
    { path: undefined, issues, notes: [] },
    existedAt,
  )
  return subIndication === undefined ? indication : `${indication} ${subIndication}`
}

describe("with a time at which the signature existed", () => {
  it("a chain without issues passes, and one of before the certificate fails", () => {
    expect(outcome([])).toBe("PASSED")
    expect(outcome([], new Date("2025-12-01"))).toBe("FAILED NOT_YET_VALID")
  })

  it("a revocation is settled only if it came later", () => {
    const revoked = (since: Date) => [
      issue("revoked", "REVOKED_NO_POE", statusOf({ status: "revoked", since })),
    ]
    expect(outcome(revoked(at("06-01")))).toBe("PASSED")
    expect(outcome(revoked(EXISTED))).toBe("INDETERMINATE REVOKED_NO_POE")
    expect(outcome(revoked(at("05-01")))).toBe("INDETERMINATE REVOKED_NO_POE")
    expect(outcome([issue("revoked", "REVOKED_NO_POE", statusOf({ status: "revoked" }))])).toBe(
      "INDETERMINATE REVOKED_NO_POE",
    )
  })

  it("an end of the certificate is settled only if it was known not to be revoked", () => {
    expect(outcome([issue("out-of-bounds", "OUT_OF_BOUNDS_NOT_REVOKED")])).toBe("PASSED")
    expect(outcome([issue("out-of-bounds", "OUT_OF_BOUNDS_NO_POE")])).toBe(
      "INDETERMINATE OUT_OF_BOUNDS_NO_POE",
    )
  })

  it("a stale status is settled only if it was fresh when the signature existed", () => {
    const stale = (nextUpdate: Date) => [issue("stale", "TRY_LATER", statusOf({ nextUpdate }))]
    expect(outcome(stale(at("05-21")))).toBe("PASSED")
    expect(outcome(stale(at("05-19")))).toBe("INDETERMINATE TRY_LATER")
    expect(outcome(stale(at("05-21")), NOW)).toBe("INDETERMINATE TRY_LATER")
  })

  it("no time settles anything else", () => {
    expect(outcome([issue("general", "CERTIFICATE_CHAIN_GENERAL_FAILURE")])).toBe(
      "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
    )
    expect(outcome([issue("weak", "CRYPTO_CONSTRAINTS_FAILURE_NO_POE")])).toBe(
      "INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
    )
  })
})
