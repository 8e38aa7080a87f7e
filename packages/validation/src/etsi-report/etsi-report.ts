// The report for other programs: XML by ETSI TS 119 102-2, V1.4.1. From the same report always the same bytes.

import { createHash } from "node:crypto"
import type { CertificateReport, DocumentReport, SignatureReport, TimestampReport } from "../report.ts"
import {
  certificateId,
  digestElement,
  isWritable,
  mainIndication,
  NAMESPACES,
  OBJECT_TYPES,
  reference,
  signedDataId,
  subIndicationName,
  time,
  timestampId,
} from "./names.ts"
import { fileAttributes, type Identify, signatureElement, validationPolicy } from "./signature.ts"
import { status } from "./status.ts"
import { element, writeXml, type Xml } from "./xml.ts"

export function writeEtsiReport(report: DocumentReport): string {
  const timestamps = allTimestamps(report)
  const numbers = new Map(timestamps.map((timestamp, i) => [keyOf(timestamp), timestampId(i + 1)]))
  const identify: Identify = (timestamp) => numbers.get(keyOf(timestamp))
  const signatures = report.signatures.map((signature, i) =>
    signatureElement(report, signature, i + 1, identify),
  )
  const objects = [
    ...timestamps.map((timestamp, i) => timestampObject(report, timestamp, timestampId(i + 1))),
    ...certificateObjects(report, timestamps),
    ...report.signatures.flatMap((signature, i) => signedDataObject(signature, i + 1) ?? []),
  ]
  const root = element(
    "ValidationReport",
    NAMESPACES,
    signatures.length > 0 ? signatures : [unsigned(report)],
    objects.length > 0 ? element("SignatureValidationObjects", {}, objects) : undefined,
  )
  return writeXml(root)
}

// The schema wants at least one report; of a document without signatures it is what was said of the document.
function unsigned({ indication, subIndication, policy, document }: DocumentReport): Xml {
  return element(
    "SignatureValidationReport",
    {},
    element("ValidationConstraintsEvaluationReport", {}, validationPolicy(policy.name)),
    element(
      "SignatureValidationStatus",
      {},
      element("MainIndication", {}, mainIndication(indication)),
      subIndication && element("SubIndication", {}, subIndicationName(subIndication)),
    ),
    element("OtherInformation", {}, element("Document", fileAttributes(document))),
  )
}

/** Those over the document are told with every signature that they cover, and are one object each. */
function allTimestamps({ signatures, timestamps }: DocumentReport): readonly TimestampReport[] {
  const all = [...signatures.flatMap((signature) => signature.timestamps), ...timestamps]
  return [...new Map(all.map((timestamp) => [keyOf(timestamp), timestamp])).values()]
}

// With all that is said of it: the same token over two signatures may be good in one and copied into the other.
function keyOf(timestamp: TimestampReport): string {
  return JSON.stringify(timestamp)
}

function timestampObject({ signatures }: DocumentReport, timestamp: TimestampReport, id: string): Xml {
  const key = keyOf(timestamp)
  const covered = signatures.filter((signature) => signature.timestamps.some((one) => keyOf(one) === key))
  const digest = digestElement("DigestAlgAndValue", timestamp.digest)
  const { certificate, authority, time: at } = timestamp
  return element(
    "ValidationObject",
    { id },
    element("ObjectType", {}, OBJECT_TYPES.timestamp),
    element("ValidationObjectRepresentation", {}, digest ?? element("direct", {})),
    at === undefined || !isWritable(at) || timestamp.indication !== "TOTAL-PASSED"
      ? undefined
      : element(
          "POEProvisioning",
          {},
          time("POETime", at),
          covered.map(({ field }) => element("SignatureReference", {}, element("PAdESFieldName", {}, field))),
        ),
    element(
      "ValidationReport",
      {},
      certificate &&
        element(
          "SignerInformation",
          {},
          reference("SignerCertificate", certificateId(certificate.fingerprint)),
          authority === undefined ? undefined : element("Signer", {}, authority),
        ),
      status("SignatureValidationStatus", timestamp),
    ),
  )
}

function certificateObjects(report: DocumentReport, timestamps: readonly TimestampReport[]): readonly Xml[] {
  const values = new Map((report.certificates ?? []).map(({ fingerprint, der }) => [fingerprint, der]))
  const named = [
    ...report.signatures.flatMap(({ certificate, chain }) => [
      ...fingerprintOf(certificate),
      ...(chain?.fingerprints ?? []),
    ]),
    ...timestamps.flatMap(({ certificate }) => fingerprintOf(certificate)),
  ]
  return [...new Set([...named, ...values.keys()])].map((fingerprint) =>
    element(
      "ValidationObject",
      { id: certificateId(fingerprint) },
      element("ObjectType", {}, OBJECT_TYPES.certificate),
      element("ValidationObjectRepresentation", {}, representation(fingerprint, values.get(fingerprint))),
    ),
  )
}

function fingerprintOf(certificate: CertificateReport | undefined): readonly string[] {
  return certificate === undefined ? [] : [certificate.fingerprint]
}

function representation(fingerprint: string, der: string | undefined): Xml | undefined {
  if (der !== undefined && createHash("sha256").update(der, "base64").digest("hex") === fingerprint)
    return element("base64", {}, der)
  const value = Buffer.from(fingerprint, "hex").toString("base64")
  return digestElement("DigestAlgAndValue", { algorithm: "sha256", value })
}

function signedDataObject({ digest }: SignatureReport, n: number): Xml | undefined {
  const value = digestElement("DigestAlgAndValue", digest)
  return (
    value &&
    element(
      "ValidationObject",
      { id: signedDataId(n) },
      element("ObjectType", {}, OBJECT_TYPES.signedData),
      element("ValidationObjectRepresentation", {}, value),
    )
  )
}
