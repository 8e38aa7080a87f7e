import type { AskedValidation, Report, SignatureReport } from "../validation/model.ts"

/** Whatever is not said asks for nothing, and rejects what the decisions reject. */
export const asking = (more: Partial<AskedValidation> = {}): AskedValidation => ({
  quality: null,
  legislation: null,
  longTermValidation: false,
  rejectVisualDifferences: true,
  rejectUndefinedChanges: true,
  ...more,
})

export const goodSignature: SignatureReport = {
  field: "Signature1",
  indication: "TOTAL-PASSED",
  reasons: [],
  level: "PAdES-BASELINE-LTA",
  signer: "Ada Lovelace",
  time: "2026-11-15T10:00:00.000Z",
  timeProof: "time-stamp",
  quality: "QES",
  legislation: "CH_EU",
  longTermValidation: true,
  undefinedChanges: false,
  visualDifferences: false,
  changes: [],
  certificate: { subject: "CN=Ada Lovelace", issuer: "CN=Issuer", serialNumber: "1a" },
  optionalInfos: {},
}

export function reportOf(...signatures: readonly Partial<SignatureReport>[]): Report {
  const all = signatures.map((each) => ({ ...goodSignature, ...each }))
  const order = ["TOTAL-FAILED", "INDETERMINATE", "TOTAL-PASSED"] as const
  const indication = order.find((one) => all.some((each) => each.indication === one)) ?? "INDETERMINATE"
  return {
    validatedAt: "2026-11-15T10:00:00.000Z",
    indication,
    ...(all.length === 0 && { subIndication: "SIGNED_DATA_NOT_FOUND" }),
    format: { fileType: "PDF" },
    signatures: all,
  }
}
