import type {
  AskedValidation,
  Change,
  Indication,
  Law,
  Report,
  SignatureQuality,
  SignatureReport,
} from "./model.ts"
import { QUALITIES } from "./model.ts"

/** Decisions, "answer": what is said of the document as a whole. */
export type Verdict = {
  /** There is at least one signature, and each is valid. */
  readonly valid: boolean
  readonly signatures: number
  readonly validSignatures: number
  /** The least of all signatures, and the laws that all of them hold under; null where there is none. */
  readonly quality: SignatureQuality | null
  readonly legislation: Law | null
  readonly longTermValidation: boolean
  readonly visualDifferences: boolean
  readonly undefinedChanges: boolean
}

export function verdictOn({ signatures }: Report, asked: AskedValidation): Verdict {
  const validSignatures = signatures.filter((each) => isValid(each, asked)).length
  const some = signatures.length > 0
  return {
    valid: some && validSignatures === signatures.length,
    signatures: signatures.length,
    validSignatures,
    quality: some ? least(signatures.map(({ quality }) => quality)) : null,
    legislation: some ? common(signatures.map(({ legislation }) => legislation)) : null,
    longTermValidation: some && signatures.every(({ longTermValidation }) => longTermValidation),
    visualDifferences: signatures.some(({ visualDifferences }) => visualDifferences),
    undefinedChanges: signatures.some(({ undefinedChanges }) => undefinedChanges),
  }
}

/** A signature is valid where it is good and is what was asked for; whoever cannot tell does not say yes. */
export function isValid(signature: SignatureReport, asked: AskedValidation): boolean {
  const { indication, quality, legislation, longTermValidation } = rejected(signature, asked)
  return (
    indication === "TOTAL-PASSED" &&
    (asked.quality === null || QUALITIES.indexOf(quality) >= QUALITIES.indexOf(asked.quality)) &&
    (asked.legislation === null || holdsUnder(legislation, asked.legislation)) &&
    (!asked.longTermValidation || longTermValidation)
  )
}

/**
 * Decisions, "rejecting": the report as it reads with what the caller rejects. Whoever validates does so already; what only the
 * pictures showed comes later, and nobody is to forget it.
 */
export function judged(report: Report, asked: AskedValidation): Report {
  const signatures = report.signatures.map((each) => rejected(each, asked))
  if (signatures.every((each, n) => each === report.signatures[n])) return report
  const worst = signatures.reduce<SignatureReport | null>(
    (found, each) => (found === null || RANK[each.indication] > RANK[found.indication] ? each : found),
    null,
  )
  if (worst === null || RANK[worst.indication] <= RANK[report.indication]) return { ...report, signatures }
  const { subIndication: _, ...rest } = report
  const sub = worst.subIndication === undefined ? {} : { subIndication: worst.subIndication }
  return { ...rest, signatures, indication: worst.indication, ...sub }
}

const RANK: Readonly<Record<Indication, number>> = {
  "TOTAL-PASSED": 0,
  INDETERMINATE: 1,
  "TOTAL-FAILED": 2,
}

function rejected(signature: SignatureReport, asked: AskedValidation): SignatureReport {
  const { indication, undefinedChanges, visualDifferences } = signature
  if (asked.rejectUndefinedChanges && undefinedChanges && indication !== "TOTAL-FAILED")
    return { ...signature, indication: "TOTAL-FAILED", subIndication: "FORMAT_FAILURE" }
  if (asked.rejectVisualDifferences && visualDifferences && indication === "TOTAL-PASSED")
    return { ...signature, indication: "INDETERMINATE", subIndication: "SIG_CONSTRAINTS_FAILURE" }
  return signature
}

/** Those that explain `undefinedChanges` and `visualDifferences`, and every form field that was filled in. */
export const toldChanges = ({ changes }: SignatureReport): readonly Change[] =>
  changes.filter(
    ({ undefined: isUndefined, kind, picture }) =>
      isUndefined || kind === "visual" || kind === "form-fill" || picture !== undefined,
  )

const least = (qualities: readonly SignatureQuality[]): SignatureQuality =>
  QUALITIES.find((each) => qualities.includes(each)) ?? "SES"

const LAWS: Readonly<Record<Law, readonly string[]>> = {
  WORLD: [],
  CH: ["CH"],
  EU: ["EU"],
  CH_EU: ["CH", "EU"],
}

/** Choice 413: under every law that is asked for. */
const holdsUnder = (legislation: Law, asked: Law): boolean =>
  LAWS[asked].every((law) => LAWS[legislation].includes(law))

function common(legislations: readonly Law[]): Law {
  const [ch, eu] = ["CH", "EU"].map((law) => legislations.every((each) => LAWS[each].includes(law)))
  if (ch) return eu ? "CH_EU" : "CH"
  return eu ? "EU" : "WORLD"
}
