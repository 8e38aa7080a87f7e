// Reports that nobody has judged, with everything in them that a report may hold.

import type { CertificateReport, DocumentReport, SignatureReport, TimestampReport } from "../report.ts"

export const certificate: CertificateReport = {
  subject: "CN=Anna Muster, O=Muster AG, C=CH",
  issuer: "CN=Muster Issuing CA 1, O=Muster Trust AG, C=CH",
  serialNumber: "0A1B2C3D4E5F60718293",
  notBefore: "2025-01-01T00:00:00.000Z",
  notAfter: "2028-01-01T00:00:00.000Z",
  fingerprint: "ab".repeat(32),
}

export const timestamp: TimestampReport = {
  indication: "TOTAL-PASSED",
  reasons: [],
  type: "signature",
  time: "2026-10-31T09:30:06.000Z",
  authority: "Muster Time-stamping Unit 7",
  certificate: { ...certificate, subject: "CN=Muster Time-stamping Unit 7", fingerprint: "cd".repeat(32) },
  digest: { algorithm: "sha256", value: "q6ur".repeat(10).concat("qw==").slice(0, 44) },
}

export const goodSignature: SignatureReport = {
  indication: "TOTAL-PASSED",
  reasons: [],
  field: "Signature1",
  level: "PAdES-BASELINE-LTA",
  signer: "Anna Muster",
  time: "2026-10-31T09:30:06.000Z",
  timeProof: "time-stamp",
  claimedTime: "2026-10-31T09:30:05.000Z",
  quality: "QES",
  legislation: "CH_EU",
  longTermValidation: true,
  certificate,
  optionalInfos: { name: "Anna Muster", location: "Zürich", reason: "Ich bin einverstanden" },
  coverage: "ENTIRE_REVISION",
  undefinedChanges: false,
  visualDifferences: false,
  changes: [
    { path: "/AcroForm/Fields[1]", kind: "signature", page: 1, undefined: false },
    { path: "/DSS", kind: "validation-data", undefined: false },
  ],
  timestamps: [timestamp],
  blocks: [
    { block: "format-checking", indication: "PASSED", reasons: [] },
    { block: "identification-of-the-signing-certificate", indication: "PASSED", reasons: [] },
    { block: "x509-certificate-validation", indication: "PASSED", reasons: [] },
    { block: "cryptographic-verification", indication: "PASSED", reasons: [] },
    { block: "signature-acceptance-validation", indication: "PASSED", reasons: [] },
    { block: "basic", indication: "PASSED", reasons: [] },
    { block: "long-term", indication: "PASSED", reasons: [] },
    { block: "archival", indication: "PASSED", reasons: [] },
  ],
  digest: { algorithm: "sha256", value: Buffer.alloc(32, 7).toString("base64") },
  subFilter: "ETSI.CAdES.detached",
  byteRange: [0, 1234, 20_000, 987],
  dtbsr: { algorithm: "sha256", value: Buffer.alloc(32, 9).toString("base64") },
  value: Buffer.alloc(64, 1).toString("base64"),
  chain: { fingerprints: ["ab".repeat(32), "ef".repeat(32), "01".repeat(32)], isAnchored: true },
}

export const badSignature: SignatureReport = {
  ...goodSignature,
  indication: "INDETERMINATE",
  subIndication: "REVOKED_NO_POE",
  reasons: [
    {
      code: "revoked",
      weight: "fail",
      values: { certificate: "Bruno Beispiel", since: "2026-05-04T03:02:01.000Z", reason: "keyCompromise" },
    },
    { code: "looks-different", weight: "fail", values: { page: "2" } },
    { code: "qualification-no-device", weight: "note", values: { law: "EU", when: "signing" } },
  ],
  field: "Signature2",
  level: "PDF-NOT-ETSI",
  signer: "Bruno Beispiel",
  timeProof: "claim",
  time: "2026-10-31T10:00:00.000Z",
  claimedTime: "2026-10-31T10:00:00.000Z",
  quality: "SES",
  legislation: "WORLD",
  longTermValidation: false,
  undefinedChanges: true,
  visualDifferences: true,
  changes: [
    { path: "/Pages/Kids[1]/Contents", kind: "content", page: 2, undefined: true },
    { path: "/Page 2", kind: "visual", page: 2, undefined: false, picture: 1 },
  ],
  timestamps: [],
  blocks: goodSignature.blocks.map((block) =>
    block.block === "x509-certificate-validation"
      ? {
          ...block,
          indication: "INDETERMINATE",
          subIndication: "REVOKED_NO_POE",
          reasons: [
            {
              code: "revoked",
              weight: "fail",
              values: {
                certificate: "Bruno Beispiel",
                since: "2026-05-04T03:02:01.000Z",
                reason: "keyCompromise",
              },
            },
          ],
        }
      : block,
  ),
}

export function documentReport(...signatures: readonly SignatureReport[]): DocumentReport {
  const indication = signatures.every((one) => one.indication === "TOTAL-PASSED")
    ? "TOTAL-PASSED"
    : signatures.some((one) => one.indication === "TOTAL-FAILED")
      ? "TOTAL-FAILED"
      : "INDETERMINATE"
  return {
    validatedAt: "2026-11-01T12:00:00.000Z",
    indication: signatures.length === 0 ? "INDETERMINATE" : indication,
    ...(signatures.length === 0 && { subIndication: "SIGNED_DATA_NOT_FOUND" }),
    format: { fileType: "PDF", quality: "PDF/A-2B", producer: "Muster Office 12", pages: 3 },
    signatures,
    timestamps: [],
    policy: { name: "Paraph strict" },
    document: { name: "Mietvertrag Seestrasse 12.pdf", sha256: "5e".repeat(32), size: 123_456 },
  }
}
