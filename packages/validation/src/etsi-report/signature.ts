// The report on one signature (TS 119 102-2, 4.3).

import type { Change, DocumentReport, SignatureReport, TimestampReport } from "../report.ts"
import {
  certificateId,
  digestElement,
  isWritable,
  OURS,
  PROCESS,
  PROVED_BY_VALIDATION,
  reference,
  signatureId,
  signedDataId,
  time,
} from "./names.ts"
import { constraint, status } from "./status.ts"
import { element, type Xml } from "./xml.ts"

/** By which id a time-stamp is known in this report. */
export type Identify = (timestamp: TimestampReport) => string | undefined

export function signatureElement(
  { validatedAt, policy, document }: DocumentReport,
  signature: SignatureReport,
  n: number,
  identify: Identify,
): Xml {
  return element(
    "SignatureValidationReport",
    {},
    identifier(signature, n),
    element(
      "ValidationConstraintsEvaluationReport",
      {},
      validationPolicy(policy.name),
      signature.blocks.map(constraint),
    ),
    timeInfo(signature, validatedAt, identify),
    signersDocument(signature, n),
    attributes(signature, identify),
    signature.certificate &&
      element(
        "SignerInformation",
        {},
        reference("SignerCertificate", certificateId(signature.certificate.fingerprint)),
        signature.signer === undefined ? undefined : element("Signer", {}, signature.signer),
      ),
    element("SignatureQuality", {}, qualityInformation(signature)),
    element("SignatureValidationProcess", {}, element("SignatureValidationProcessID", {}, PROCESS)),
    status("SignatureValidationStatus", signature, signature.chain),
    otherInformation(signature, document),
  )
}

function identifier({ dtbsr, value }: SignatureReport, n: number): Xml {
  return element(
    "SignatureIdentifier",
    { id: signatureId(n) },
    digestElement("DigestAlgAndValue", dtbsr),
    value === undefined ? undefined : element("ds:SignatureValue", {}, value),
    element("HashOnly", {}, "false"),
    element("DocHashOnly", {}, "false"),
  )
}

/** The policy is ours and not one that the signature names; it has a name and no other identifier. */
export function validationPolicy(name: string): Xml {
  return element(
    "SignatureValidationPolicy",
    {},
    element("SignaturePolicyIdentifier", {}, element("xades:SignaturePolicyImplied", {})),
    element("PolicyName", {}, name),
  )
}

// 4.3.6: the best signature time is the time of validation where nothing proves an earlier one; what the signer claims is
// an attribute.
function timeInfo(signature: SignatureReport, validatedAt: string, identify: Identify): Xml {
  const isProved = signature.timeProof === "time-stamp" && signature.time !== undefined
  const at = (isProved && signature.time) || validatedAt
  const proof = isProved ? signature.timestamps.find((one) => one.time === at) : undefined
  const id = proof && identify(proof)
  return element(
    "ValidationTimeInfo",
    {},
    time("ValidationTime", validatedAt),
    element(
      "BestSignatureTime",
      {},
      time("POETime", at),
      element("TypeOfProof", {}, PROVED_BY_VALIDATION),
      id === undefined ? undefined : reference("POEObject", id),
    ),
  )
}

function signersDocument({ digest }: SignatureReport, n: number): Xml | undefined {
  const value = digestElement("DigestAlgAndValue", digest)
  return value && element("SignersDocument", {}, value, reference("SignersDocumentRef", signedDataId(n)))
}

// Annex A. All but the time-stamps stand among what is signed.
function attributes(signature: SignatureReport, identify: Identify): Xml | undefined {
  const { claimedTime, certificate, subFilter, byteRange, optionalInfos: claims, timestamps } = signature
  const signed = { Signed: "true" }
  const written = (name: string, inner: string, text: string | undefined) =>
    text === undefined ? undefined : element(name, signed, element(inner, {}, text))
  const all = [
    // Anything may be claimed, even a time that XML cannot say.
    claimedTime !== undefined && isWritable(claimedTime)
      ? element("SigningTime", signed, time("Time", claimedTime))
      : undefined,
    // The baseline levels have the attribute that names the certificate; of others it is not known here.
    certificate && signature.level !== "PDF-NOT-ETSI"
      ? element(
          "SigningCertificate",
          signed,
          reference("AttributeObject", certificateId(certificate.fingerprint)),
        )
      : undefined,
    written("SignatureProductionPlace", "AddressString", claims.location),
    ...timestamps.map((timestamp) => timestampAttribute(timestamp, identify)),
    written("Reason", "ReasonElement", claims.reason),
    written("Name", "NameElement", claims.name),
    written("ContactInfo", "ContactInfoElement", claims.contact),
    written("SubFilter", "SubFilterElement", subFilter),
    byteRange && element("ByteRange", {}, byteRange.join(" ")),
  ]
  const given = all.filter((one) => one !== undefined)
  return given.length === 0 ? undefined : element("SignatureAttributes", {}, given)
}

function timestampAttribute(timestamp: TimestampReport, identify: Identify): Xml | undefined {
  const id = identify(timestamp)
  if (timestamp.time === undefined || !isWritable(timestamp.time) || id === undefined) return undefined
  return element(
    timestamp.type === "signature" ? "SignatureTimeStamp" : "DocTimeStamp",
    { Signed: "false" },
    reference("AttributeObject", id),
    time("TimeStampValue", timestamp.time),
  )
}

function qualityInformation({ quality, legislation, level }: SignatureReport): readonly Xml[] {
  const names = [`${OURS}:quality:${quality}`, `${OURS}:legislation:${legislation}`, `${OURS}:level:${level}`]
  return names.map((name) => element("SignatureQualityInformation", {}, name))
}

const MAX_CHANGES = 200

/** Which file it was: what the digest of a signature is of is a part of it. */
export const fileAttributes = (document: DocumentReport["document"]) => ({
  xmlns: OURS,
  sha256: document?.sha256,
  size: document?.size === undefined ? undefined : String(document.size),
})

// What no standard has a place for: which file it was, how much of the file is signed, and what happened to it afterwards.
function otherInformation(signature: SignatureReport, document: DocumentReport["document"]): Xml {
  const { field, coverage, undefinedChanges, visualDifferences, longTermValidation, changes } = signature
  return element(
    "OtherInformation",
    {},
    element(
      "Document",
      {
        ...fileAttributes(document),
        field,
        coverage,
        undefinedChanges: String(undefinedChanges),
        visualDifferences: String(visualDifferences),
        longTermValidation: String(longTermValidation),
        changes: String(changes.length),
      },
      changes.slice(0, MAX_CHANGES).map(changeElement),
    ),
  )
}

function changeElement({ path, kind, page, undefined: isUndefined, picture, field, fill }: Change): Xml {
  return element("Change", {
    path,
    kind,
    page: page === undefined ? undefined : String(page),
    undefined: String(isUndefined),
    picture: picture === undefined ? undefined : String(picture),
    field,
    fill,
  })
}
