// One signature: who, when, what it is worth, and why it was judged so.

import type { Block, Row } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"
import type { Change, Reason, SignatureReport, TimestampReport } from "../report.ts"
import { fill, wordsOf } from "../words/of-language.ts"
import {
  quoted,
  sayDay,
  sayIndication,
  sayReason,
  saySubIndication,
  sayTime,
  sayVerdict,
} from "../words/say.ts"
import type { Language } from "../words/words.ts"
import { foreignRow, row, shortened } from "./rows.ts"
import { SIGN_OF } from "./sign-of.ts"

const MAX_HEADING = 80

export function signaturePart(signature: SignatureReport, n: number, language: Language): readonly Block[] {
  const { report: words } = wordsOf(language)
  const { indication, subIndication, reasons } = signature
  const { signer } = signature
  const who = signer === undefined ? words.unknownSigner : shortened(shownText(signer), MAX_HEADING)
  const sentence =
    subIndication === undefined ? sayVerdict(signature, language) : saySubIndication(subIndication, language)
  return [
    {
      type: "heading",
      level: 2,
      text: `${fill(words.signature, { n: String(n) })}: ${who}`,
      sign: SIGN_OF[indication],
    },
    {
      type: "rows",
      rows: [
        ...row(words.verdict, `${sayIndication(indication, language)}. ${sentence}`),
        ...foreignRow(words.signer, signer),
        ...facts(signature, language),
      ],
    },
    ...reasonList(words.why, reasons, "fail", language),
    ...reasonList(words.notes, reasons, "note", language),
    ...changeList(signature, language),
    ...timestampList(signature.timestamps, language),
    ...claims(signature, language),
  ]
}

function facts(signature: SignatureReport, language: Language): readonly Row[] {
  const { report: words, qualities, legislations, coverages } = wordsOf(language)
  const { time, timeProof, claimedTime, certificate, longTermValidation } = signature
  const proof = words.timeProofs[timeProof]
  const from = certificate && sayDay(certificate.notBefore.slice(0, 10), language)
  const to = certificate && sayDay(certificate.notAfter.slice(0, 10), language)
  return [
    ...row(words.time, time === undefined ? proof : `${sayTime(time, language)} – ${proof}`),
    ...row(
      words.claimedTime,
      timeProof === "time-stamp" && claimedTime !== undefined ? sayTime(claimedTime, language) : undefined,
    ),
    ...row(words.quality, qualities[signature.quality]),
    ...row(words.legislation, legislations[signature.legislation]),
    ...row(words.longTerm, longTermValidation ? words.longTermYes : words.longTermNo),
    ...row(words.coverage, coverages[signature.coverage]),
    ...foreignRow(words.subject, certificate?.subject),
    ...foreignRow(words.issuer, certificate?.issuer),
    ...row(words.validity, from && to && fill(words.validFromTo, { from, to })),
    ...row(words.changes, signature.changes.length === 0 ? words.noChanges : undefined),
  ]
}

const MAX_REASONS = 40

function reasonList(
  heading: string,
  reasons: readonly Reason[],
  weight: Reason["weight"],
  language: Language,
): readonly Block[] {
  const items = reasons.filter((reason) => reason.weight === weight).slice(0, MAX_REASONS)
  if (items.length === 0) return []
  return [
    { type: "heading", level: 3, text: heading },
    { type: "list", items: items.map((reason) => sayReason(reason, language)) },
  ]
}

const MAX_CHANGES = 25

// What no rule explains comes first: it is what the verdict is about.
function changeList({ changes }: SignatureReport, language: Language): readonly Block[] {
  const { report: words } = wordsOf(language)
  if (changes.length === 0) return []
  const sorted = changes.toSorted((a, b) => weightOf(a) - weightOf(b))
  const said = [...new Set(sorted.map((change) => sayChange(change, language)))]
  const more = said.length - MAX_CHANGES
  return [
    { type: "heading", level: 3, text: words.changes },
    {
      type: "list",
      items: [
        ...said.slice(0, MAX_CHANGES),
        ...(more > 0 ? [fill(words.moreChanges, { count: String(more) })] : []),
      ],
    },
  ]
}

const weightOf = ({ undefined: isUndefined, kind, fill }: Change): number =>
  isUndefined ? 0 : kind === "visual" ? 1 : fill === undefined ? 3 : 2

function sayChange(
  { kind, page, path, picture, undefined: isUndefined, field, fill: status }: Change,
  language: Language,
): string {
  const { report: words, changes, fills } = wordsOf(language)
  const parts = [
    field === undefined
      ? changes[kind]
      : `${changes[kind]}: ${quoted(shortened(shownText(field)), language)}`,
    status === undefined ? undefined : fills[status],
    page === undefined ? undefined : fill(words.page, { page: String(page) }),
    isUndefined ? `${words.unexplained} (${shortened(shownText(path))})` : undefined,
    picture === undefined ? undefined : fill(words.seePicture, { n: String(picture) }),
  ]
  return parts.filter((part) => part !== undefined).join(", ")
}

function timestampList(timestamps: readonly TimestampReport[], language: Language): readonly Block[] {
  const { report: words, indications } = wordsOf(language)
  if (timestamps.length === 0) return []
  const items = timestamps.slice(0, MAX_REASONS).map(({ type, time, authority, indication, reasons }) => {
    const by =
      authority === undefined
        ? ""
        : ` ${fill(words.timestampBy, { authority: shortened(shownText(authority)) })}`
    const at = time === undefined ? "" : `${sayTime(time, language)}, `
    const why = reasons.filter(({ weight }) => weight === "fail").map((reason) => sayReason(reason, language))
    return [`${at}${words.timestampOver[type]}${by}: ${indications[indication].heading}.`, ...why].join(" ")
  })
  return [
    { type: "heading", level: 3, text: words.timestamps },
    { type: "list", items },
  ]
}

function claims({ optionalInfos }: SignatureReport, language: Language): readonly Block[] {
  const { report: words } = wordsOf(language)
  const rows = [
    ...foreignRow(words.claimName, optionalInfos.name),
    ...foreignRow(words.claimContact, optionalInfos.contact),
    ...foreignRow(words.claimLocation, optionalInfos.location),
    ...foreignRow(words.claimReason, optionalInfos.reason),
  ]
  if (rows.length === 0) return []
  return [
    { type: "heading", level: 3, text: words.claims },
    { type: "rows", rows },
  ]
}
