import { readCertificate } from "@paraph/pki/certificate"
import type { SignatureReport } from "@paraph/validation/report"
import type { Verified } from "@paraph/verifying/verified"
import { verifyFiles } from "@paraph/verifying/verify"
import { beforeAll, describe, expect, it } from "vitest"
import { later, toldWorld } from "../../../packages/verifying/src/testing/told-world.ts"
import { withoutUnknown } from "./unknown-curves.ts"

let found: Verified
beforeAll(async () => {
  const { contract, report, root, key } = await toldWorld()
  const files = [
    { name: "contract.pdf", bytes: contract },
    { name: "report.pdf", bytes: report },
  ]
  found = await verifyFiles({ files, logKeys: [key], trusted: [readCertificate(root)], now: later(3) })
})

/** As the engine says it of a signature that did not verify, for this reason. */
function failing(subIndication: "SIG_CRYPTO_FAILURE" | "HASH_FAILURE"): Verified {
  const verdict = { indication: "TOTAL-FAILED", subIndication, reasons: [] } as const
  const documents = found.documents.map((document) => {
    if (document.report === null) throw new Error("There is a report.")
    const signatures = document.report.signatures.map((one): SignatureReport => ({ ...one, ...verdict }))
    return { ...document, standing: "fails" as const, report: { ...document.report, ...verdict, signatures } }
  })
  return { ...found, standing: "fails", documents }
}

describe("where the page met a curve that it does not know", () => {
  it("a signature that nobody could verify cannot be said not to hold", () => {
    const told = withoutUnknown(failing("SIG_CRYPTO_FAILURE"), () => true)
    expect(told.standing).toBe("unsure")
    expect(told.documents[0]).toMatchObject({
      standing: "unsure",
      report: {
        indication: "INDETERMINATE",
        signatures: [{ indication: "INDETERMINATE", reasons: [{ code: "algorithm-unknown" }] }],
      },
    })
  })

  it("what is wrong in another way stays wrong", () => {
    const told = withoutUnknown(failing("HASH_FAILURE"), () => true)
    expect(told).toMatchObject({
      standing: "fails",
      documents: [{ standing: "fails" }, { standing: "fails" }],
    })
    const [story] = found.stories
    if (story === undefined) throw new Error("There is a story.")
    const forged = { ...story, standing: "fails" as const, faults: [{ fault: "inclusion" as const, seq: 1 }] }
    expect(withoutUnknown({ ...found, stories: [forged] }, () => true).standing).toBe("fails")
  })

  it("a wrong signature by a key that it knows stays wrong, whatever else is in the files", () => {
    const told = withoutUnknown(failing("SIG_CRYPTO_FAILURE"), () => false)
    expect(told).toMatchObject({
      standing: "fails",
      documents: [{ standing: "fails" }, { standing: "fails" }],
    })
  })

  it("and never does everything hold", () => {
    expect(found.standing).toBe("holds")
    expect(withoutUnknown(found, () => true).standing).toBe("unsure")
  })
})
