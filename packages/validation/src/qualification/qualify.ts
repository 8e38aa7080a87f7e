// What a signature is worth by law, as far as its certificate decides it (ETSI TS 119 615; Regulation 910/2014, articles 3, 26
// and 32; ZertES, article 2): a qualified certificate with its key in a qualified device is QES; without the device, or with
// one of an anchor that the operator has declared for it, AES; anything else is SES. Whether the signature itself holds is
// another question, and somebody else's.

import type { Certificate } from "@paraph/pki/certificate"
import { fingerprint } from "../fingerprint.ts"
import type { Legislation, Quality, Reason } from "../report.ts"
import { identityOf, isSame } from "../trusted-list/identity.ts"
import type { CertificateUse, Law, TrustService } from "../trusted-list/trusted-list.ts"
import { type CertificateFacts, readFacts } from "./certificate-facts.ts"
import { type Determination, type DeterminationReason, determine } from "./determination.ts"
import { statesAt } from "./service-state.ts"
import type { TrustAnchor } from "./trust.ts"

export type QualifyOrder = {
  /** From the signer to the anchor. */
  readonly path: readonly Certificate[]
  readonly services: readonly TrustService[]
  readonly anchors: readonly TrustAnchor[]
  /** When it was signed, as far as that is proved. */
  readonly at: Date
  /** The time of judging: whether a list has expired. */
  readonly now: Date
  /** Services of a list past its NextUpdate count only if the policy says so. */
  readonly expiredLists?: "refuse" | "accept"
}

export type Qualification = {
  readonly quality: Quality
  readonly legislation: Legislation
  /** What the certificate is for, by the list and the law that gave the quality. */
  readonly use?: "signature" | "seal"
  readonly reasons: readonly Reason[]
}

/** Everything that a qualification may give as a reason. */
export type QualificationCode =
  | `qualification-${DeterminationReason}`
  | "qualification-certificate-unreadable"
  | "qualification-changed"
  | "qualification-declared-anchor"
  | "qualification-for-websites"
  | "qualification-list-expired"

type Found = { readonly quality: "QES" | "AES"; readonly use: "signature" | "seal" }

export function qualify(order: QualifyOrder): Qualification {
  const [signer] = order.path
  const facts = signer && readFacts(signer)
  if (signer === undefined || facts === undefined)
    return { quality: "SES", legislation: "WORLD", reasons: [note("qualification-certificate-unreadable")] }
  const laws = (["EU", "CH"] as const).map((law) => ({ law, ...judgeLaw(law, order, facts) }))
  const reasons = laws.flatMap((result) => result.reasons)
  const best = laws.some(({ found }) => found?.quality === "QES") ? "QES" : "AES"
  const [first, second] = laws.filter(({ found }) => found?.quality === best)
  if (first?.found !== undefined) {
    const legislation = second === undefined ? first.law : "CH_EU"
    return { quality: best, legislation, use: first.found.use, reasons }
  }
  const declared = declaredAnchor(order)
  if (declared?.quality !== undefined) {
    const legislation = declared.legislation ?? "WORLD"
    return {
      quality: declared.quality,
      legislation,
      reasons: [...reasons, note("qualification-declared-anchor")],
    }
  }
  return { quality: "SES", legislation: "WORLD", reasons }
}

function judgeLaw(law: Law, order: QualifyOrder, facts: CertificateFacts) {
  const { path, at, now, expiredLists = "refuse" } = order
  const ours = order.services.filter((service) => service.law === law)
  const services = expiredLists === "accept" ? ours : ours.filter((service) => !isExpired(service, now))
  const isAsked = { services, certificates: path.slice(1), law, type: "CA/QC" }
  const determineAt = (time: number) =>
    determine({ law, facts, at: time, states: statesAt({ ...isAsked, at: time }) })
  const whenSigned = determineAt(at.getTime())
  const whenIssued = determineAt(facts.issuedAt)
  const isUnlisted = whenSigned.why.includes("no-service") && whenIssued.why.includes("no-service")
  if (isUnlisted) return { found: undefined, reasons: expiryNotes(law, ours, services) }
  const found = combine(law, whenSigned, whenIssued)
  const reasons = reasonsOf(law, whenSigned, whenIssued, found)
  return { found, reasons: [...reasons, ...expiryNotes(law, ours, services)] }
}

// PRO-4.4.4-34 to -36: qualified when it was issued and when it was used, for the same; the device counts when it was used.
function combine(law: Law, whenSigned: Determination, whenIssued: Determination): Found | undefined {
  const uses = ["esign", "eseal", "web"] as const
  if (!uses.every((use) => whenSigned.uses[use] === whenIssued.uses[use])) return undefined
  const use = uses.find((one) => whenSigned.uses[one] === "yes")
  if (use === undefined || use === "web") return undefined
  // ZertES knows regulated seals, and no qualified ones (article 2, letters d and e).
  const isHighest = whenSigned.isInDevice === "yes" && (law === "EU" || use === "esign")
  return { quality: isHighest ? "QES" : "AES", use: USE[use] }
}

const USE: Readonly<Record<Exclude<CertificateUse, "web">, "signature" | "seal">> = {
  esign: "signature",
  eseal: "seal",
}

function reasonsOf(
  law: Law,
  whenSigned: Determination,
  whenIssued: Determination,
  found: Found | undefined,
): readonly Reason[] {
  if (found?.quality === "QES") return []
  const say = (why: readonly DeterminationReason[], when: "signing" | "issuance") =>
    why.map((reason) => note(`qualification-${reason}` as const, { law, when }))
  if (found !== undefined) return say(whenSigned.why, "signing")
  const said = [...say(whenSigned.why, "signing"), ...say(whenIssued.why, "issuance")]
  if (whenSigned.uses.web === "yes") return [note("qualification-for-websites", { law }), ...said]
  return said.length > 0 ? said : [note("qualification-changed", { law })]
}

function isExpired({ listExpires }: TrustService, now: Date): boolean {
  return listExpires !== null && Date.parse(listExpires) < now.getTime()
}

function expiryNotes(
  law: Law,
  all: readonly TrustService[],
  counting: readonly TrustService[],
): readonly Reason[] {
  return all.length > counting.length ? [note("qualification-list-expired", { law })] : []
}

function declaredAnchor({ path, anchors }: QualifyOrder): TrustAnchor | undefined {
  const [signer, ...above] = path
  return anchors.find(({ certificate, quality, except = [] }) => {
    if (quality === undefined || signer === undefined || except.includes(fingerprint(signer))) return false
    const anchor = identityOf(certificate)
    return above.some((one) => isSame(identityOf(one), anchor))
  })
}

function note(code: QualificationCode, values?: Readonly<Record<string, string>>): Reason {
  return { code, weight: "note", ...(values && { values }) }
}
