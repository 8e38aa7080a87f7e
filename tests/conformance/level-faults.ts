// What each judge holds against a file that claims a level: an empty list means that it agrees, word for word.

import { readFile } from "node:fs/promises"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { validatePdf } from "@paraph/validation/validate"
import type { DssToken, DssVerdict, PyhankoFacts, PyhankoVerdict } from "./judges.ts"
import { type Level, servicesOf } from "./matrix.ts"

export type Claim = { readonly level: Level; readonly fields: readonly string[] }

/** Every signature has passed at exactly the claimed level, and DSS has not even a warning to give. */
export function dssFaults({ level, fields }: Claim, verdict: DssVerdict | undefined): readonly string[] {
  if (verdict?.signatures === undefined) return [verdict?.error ?? "DSS gave no verdict"]
  const { signatures, timestamps = [] } = verdict
  const wanted = level.replace("B-", "PAdES-BASELINE-")
  const ofType = (type: string) => timestamps.filter((one) => one.type === type).length
  return [
    ...difference("signatures", signatures.map(({ field }) => field).join(), fields.join()),
    ...signatures.flatMap((one) => [
      ...difference(`${one.field} level`, one.level, wanted),
      ...tokenFaults(`${one.field}`, one, "TOTAL_PASSED"),
    ]),
    ...difference(
      "signature time-stamps",
      ofType("SIGNATURE_TIMESTAMP"),
      level === "B-B" ? 0 : fields.length,
    ),
    ...difference("document time-stamps", ofType("DOCUMENT_TIMESTAMP"), level === "B-LTA" ? 1 : 0),
    ...timestamps.flatMap((one) => tokenFaults(one.type, one, "PASSED")),
  ]
}

function tokenFaults(name: string, token: DssToken, wanted: string): readonly string[] {
  return [
    ...difference(name, `${token.indication} ${token.subIndication ?? ""}`.trim(), wanted),
    ...[...token.errors, ...token.warnings].map((message) => `${name}: ${message}`),
    ...(token.undefinedChanges ?? []).map((change) => `${name}: undefined change ${change}`),
    ...(token.visualDifferences ?? []).map((page) => `${name}: visual difference on page ${page}`),
    ...(token.annotationOverlaps ?? []).map((page) => `${name}: overlap on page ${page}`),
    ...(token.pageDifferences ?? []).map((page) => `${name}: page ${page} differs`),
  ]
}

/** Sound, trusted and followed only by what is allowed; and the engine for EN 319 102-1 passes it, now and later. */
export function pyhankoFaults(
  { level, fields }: Claim,
  verdict: PyhankoVerdict | undefined,
): readonly string[] {
  if (verdict?.signatures === undefined) return [verdict?.error ?? "pyHanko gave no verdict"]
  const { signatures, documentTimestamps = [] } = verdict
  const longTerm = level === "B-LT" || level === "B-LTA"
  const order = [...signatures, ...documentTimestamps].map(({ field }) => field)
  const lastSigned = level === "B-LT" ? undefined : order.at(-1)
  return [
    ...difference("signatures", signatures.map(({ field }) => field).join(), fields.join()),
    ...difference("document time-stamps", documentTimestamps.length, level === "B-LTA" ? 1 : 0),
    ...[...signatures, ...documentTimestamps].flatMap((one) => soundness(one, one.field === lastSigned)),
    ...signatures.flatMap((one) => [
      ...difference(`${one.field} bottom line`, one.bottomLine, true),
      ...difference(`${one.field} time-stamp`, one.timestamp, level === "B-B" ? undefined : true),
      ...difference(`${one.field} AdES`, one.ades, "PASSED"),
      ...difference(`${one.field} AdES in ten years`, one.adesLater, longTerm ? "PASSED" : undefined),
    ]),
  ]
}

function soundness(one: PyhankoFacts, last: boolean): readonly string[] {
  const { field, valid, intact, trusted, coverage, modification, error } = one
  if (error !== undefined) return [`${field}: ${error}`]
  const allowed = last ? ["NONE"] : ["LTA_UPDATES", "FORM_FILLING"]
  return [
    ...difference(`${field} valid intact trusted`, `${valid} ${intact} ${trusted}`, "true true true"),
    ...difference(`${field} coverage`, coverage, last ? "ENTIRE_FILE" : "ENTIRE_REVISION"),
    ...(allowed.includes(`${modification}`) ? [] : [`${field}: modification ${modification}`]),
  ]
}

export const NOT_FOR_PDFSIG = "Signature has not yet been verified."

/** Poppler validates signatures; of a document time-stamp it says that it has not looked, whoever made it. */
export function pdfsigFaults(
  { level, fields }: Claim,
  verdicts: ReadonlyMap<string, string>,
): readonly string[] {
  const wanted = [
    ...fields.map((field) => [field, "Signature is Valid."] as const),
    ...(level === "B-LTA" ? [["Timestamp-1", NOT_FOR_PDFSIG] as const] : []),
  ]
  return [
    ...difference("fields", [...verdicts.keys()].join(), wanted.map(([field]) => field).join()),
    ...wanted.flatMap(([field, words]) => difference(field, verdicts.get(field), words)),
  ]
}

function difference(what: string, found: unknown, wanted: unknown): readonly string[] {
  return found === wanted ? [] : [`${what}: ${found}, not ${wanted}`]
}

/** Our own validation: whole, at the level claimed, and nothing happened afterwards that no rule explains. */
export async function ownFaults(
  { file, level, fields }: Claim & { readonly file: string },
  sandbox: TrustSandbox,
  isOnline: boolean,
): Promise<readonly string[]> {
  const { now, revocation } = servicesOf(sandbox)
  const { report } = await validatePdf(bytesSource(await readFile(file)), {
    now,
    anchors: [{ certificate: readCertificate(sandbox.root) }],
    ...(isOnline && { revocation }),
  })
  const names = report.signatures.map(({ field }) => field)
  return [
    ...(fields.every((field) => names.includes(field))
      ? []
      : [`signatures: ${names.join()}, not ${fields.join()}`]),
    ...report.signatures.flatMap(({ field, indication, subIndication, level: found, undefinedChanges }) => [
      ...(indication === "TOTAL-PASSED" ? [] : [`${field}: ${indication} ${subIndication}`]),
      ...(found === `PAdES-BASELINE-${level.slice("B-".length)}` ? [] : [`${field} level: ${found}`]),
      ...(undefinedChanges ? [`${field}: undefined changes`] : []),
    ]),
  ]
}
