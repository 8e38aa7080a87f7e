// Whether a certificate is a qualified one, for what, and with its key in a qualified device, at one time (ETSI TS 119 615,
// 4.4 and 4.5), by the services that stand behind it. The tables of the standard are written as what they say; the test goes
// through their cells. Swiss law is judged by the same steps: the Swiss list is one of the same kind, without the Union's
// past before 2016.

import type { CertificateUse, Law, Qualifier } from "../trusted-list/trusted-list.ts"
import { type CertificateFacts, isCompliantWith } from "./certificate-facts.ts"
import { EIDAS_BEGINS, qualifiersFor, type ServiceState } from "./service-state.ts"

export type Answer = "yes" | "no" | "unknown"

/** For each use. */
export type Determination = {
  readonly uses: Readonly<Record<CertificateUse, Answer>>
  /** Of the use that is "yes"; "unknown" where there is none. */
  readonly isInDevice: Answer
  readonly why: readonly DeterminationReason[]
}

export type DeterminationReason =
  | "no-service"
  | "not-granted"
  | "services-differ"
  | "list-inconsistent"
  | "list-not-understood"
  | "not-for-this-use"
  | "not-qualified-by-list"
  | "not-qualified-by-certificate"
  | "use-unclear"
  | "two-uses"
  | "device-unclear"
  | "no-device"

export type DeterminationInput = {
  readonly law: Law
  readonly facts: CertificateFacts
  readonly states: readonly ServiceState[]
  readonly at: number
}

const USES: readonly CertificateUse[] = ["esign", "eseal", "web"]
// PRO-4.4.4-12, -20 and -28: qualifiers of another use beside one that is asked about.
const FOREIGN: Readonly<Record<CertificateUse, readonly Qualifier[]>> = {
  esign: ["QCForESeal", "QCForWSA", "QCForLegalPerson"],
  eseal: ["QCForESig", "QCForWSA"],
  web: ["QCForESig", "QCForESeal"],
}
const OWN: Readonly<Record<CertificateUse, Qualifier>> = {
  esign: "QCForESig",
  eseal: "QCForESeal",
  web: "QCForWSA",
}

export function determine(input: DeterminationInput): Determination {
  const { law, facts, states, at } = input
  const nothing = { esign: "no", eseal: "no", web: "no" } as const
  if (states.length === 0) return { uses: nothing, isInDevice: "unknown", why: ["no-service"] }
  const isOfOld = law === "EU" && (at < EIDAS_BEGINS || facts.issuedAt < EIDAS_BEGINS)
  const why = new Set<DeterminationReason>()
  const answer = (use: CertificateUse): Answer => {
    const result = isOfOld ? determineOfOld(use, input) : determineUse(use, input)
    if (result !== "yes" && result !== "not-for-this-use") why.add(result)
    if (result === "yes") return "yes"
    return UNKNOWN.has(result) ? "unknown" : "no"
  }
  const uses = { esign: answer("esign"), eseal: answer("eseal"), web: answer("web") }
  const found = USES.filter((use) => uses[use] === "yes")
  const [use] = found
  if (use === undefined) {
    if (why.size === 0) why.add("not-for-this-use")
    return { uses, isInDevice: "unknown", why: [...why] }
  }
  // Table 4: a certificate is for one use.
  if (found.length > 1) return { uses: nothing, isInDevice: "unknown", why: ["two-uses"] }
  const isInDevice = determineDevice(use, input, isOfOld)
  if (isInDevice === "unknown") return { uses, isInDevice, why: ["device-unclear"] }
  return { uses, isInDevice, why: isInDevice === "yes" ? [] : ["no-device"] }
}

type Verdict = "yes" | DeterminationReason
const UNKNOWN: ReadonlySet<Verdict> = new Set([
  "services-differ",
  "list-inconsistent",
  "list-not-understood",
  "use-unclear",
])

// PRO-4.4.4-08 to -31.
function determineUse(use: CertificateUse, { law, facts, states }: DeterminationInput): Verdict {
  const ours = statesFor(use, law, states)
  if (ours.length === 0) return "not-for-this-use"
  const [status, ...others] = new Set(ours.map(({ period }) => period.status))
  if (others.length > 0) return "services-differ"
  if (status !== "granted") return "not-granted"
  const qualifiers = qualifiersFor(ours, facts)
  if (qualifiers === undefined) return "list-not-understood"
  if (FOREIGN[use].some((qualifier) => qualifiers.has(qualifier))) return "list-inconsistent"
  if (qualifiers.has("NotQualified"))
    return qualifiers.has("QCStatement") ? "list-inconsistent" : "not-qualified-by-list"
  return tableCell(use, isCompliantWith(law, facts), facts.types, qualifiers)
}

// additionalServiceInformation is the Union's duty (TS 119 612, 5.5.9.4); another list may say it or leave it open.
function statesFor(use: CertificateUse, law: Law, states: readonly ServiceState[]): readonly ServiceState[] {
  return states.filter(
    ({ period }) => period.uses.includes(use) || (law !== "EU" && period.uses.length === 0),
  )
}

// Tables 1, 2 and 3. They differ in one thing: a qualified certificate that names no type is one for signatures.
function tableCell(
  use: CertificateUse,
  isCompliant: boolean,
  types: readonly CertificateUse[],
  qualifiers: ReadonlySet<Qualifier>,
): Verdict {
  const isStated = qualifiers.has("QCStatement")
  if (qualifiers.has(OWN[use])) return isCompliant || isStated ? "yes" : "not-qualified-by-certificate"
  if (!isCompliant && !isStated) return "not-qualified-by-certificate"
  if (types.length === 0) {
    if (!isCompliant) return "use-unclear"
    return use === "esign" ? "yes" : "not-for-this-use"
  }
  if (!types.includes(use)) return "not-for-this-use"
  return types.length === 1 ? "yes" : "use-unclear"
}

const BEFORE_EIDAS = ["undersupervision", "supervisionincessation", "accredited"]
// ETSI TS 101 456, 5.2: "qcp-public-with-sscd" is the first, "qcp-public" the second.
const QCP_PLUS = "0.4.0.1456.1.1"
const QCP = [QCP_PLUS, "0.4.0.1456.1.2"]

// PRO-4.4.4-33, for what was issued or signed under Directive 1999/93/EC, which knew only signatures.
function determineOfOld(use: CertificateUse, { facts, states, at }: DeterminationInput): Verdict {
  if (use !== "esign") return "not-for-this-use"
  const statuses = new Set(states.map(({ period }) => period.status))
  if (at < EIDAS_BEGINS) {
    if (statuses.size > 1) return "services-differ"
    if (![...statuses].every((status) => BEFORE_EIDAS.includes(status))) return "not-granted"
  } else {
    const ours = states.filter(({ period }) => period.uses.includes("esign"))
    if (ours.length === 0) return "not-for-this-use"
    if (statuses.size > 1) return "services-differ"
    if (!statuses.has("granted")) return "not-granted"
  }
  const qualifiers = qualifiersFor(states, facts)
  if (qualifiers === undefined) return "list-not-understood"
  if (qualifiers.has("QCForESeal") || qualifiers.has("QCForWSA")) return "list-inconsistent"
  if (qualifiers.has("NotQualified"))
    return qualifiers.has("QCStatement") ? "list-inconsistent" : "not-qualified-by-list"
  // Table 5.
  const isClaimed = isCompliantWith("EU", facts) || QCP.some((policy) => facts.policies.includes(policy))
  return isClaimed || qualifiers.has("QCStatement") ? "yes" : "not-qualified-by-certificate"
}

// Clause 4.5, tables 6 (before the Regulation) and 7.
function determineDevice(
  use: CertificateUse,
  { law, facts, states, at }: DeterminationInput,
  isOfOld: boolean,
): Answer {
  const qualifiers = qualifiersFor(isOfOld ? states : statesFor(use, law, states), facts)
  if (qualifiers === undefined) return "unknown"
  const has = (...wanted: readonly Qualifier[]) => wanted.some((qualifier) => qualifiers.has(qualifier))
  if (law === "EU" && at < EIDAS_BEGINS) {
    if (["QCWithSSCD", "QCNoSSCD", "QCSSCDStatusAsInCert"].filter((q) => has(q as Qualifier)).length > 1)
      return "unknown"
    if (has("QCWithSSCD")) return "yes"
    if (has("QCNoSSCD")) return "no"
    return facts.isInDevice || facts.policies.includes(QCP_PLUS) ? "yes" : "no"
  }
  const isWith = has("QCWithQSCD", "QCQSCDManagedOnBehalf")
  const isWithout = has("QCNoQSCD")
  // PRO-4.5.4-04 (c): words of the Directive do not stand alone any more.
  const isOldWordAlone = (has("QCWithSSCD") && !has("QCWithQSCD")) || (has("QCNoSSCD") && !isWithout)
  const isBoth = (isWith && isWithout) || (has("QCQSCDStatusAsInCert") && (isWith || isWithout))
  if (isOldWordAlone || isBoth) return "unknown"
  if (isWith) return "yes"
  return !isWithout && facts.isInDevice ? "yes" : "no"
}
