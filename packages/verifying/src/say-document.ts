// One PDF and its signatures in words; what validation says has its words already.

import { shownText } from "@paraph/pki/shown-text"
import type { SignatureReport } from "@paraph/validation/report"
import { quoted, sayReason, saySubIndication, sayTime, sayVerdict } from "@paraph/validation/words"
import { fill, wordsOf } from "@paraph/validation/words-of-language"
import type { Row, ToldPart } from "./say.ts"
import { type Mention, standingOf, type VerifiedDocument } from "./verified.ts"
import { type Language, sayEvent, verifyWords } from "./words/words.ts"

export function sayDocument(document: VerifiedDocument, language: Language): ToldPart {
  const { name, standing, sha256, report } = document
  const { documents, report: labels } = wordsOf(language)
  const { standings, document: words } = verifyWords(language)
  const ofSignatures =
    report === null
      ? fill(words.refused, { detail: shownText(document.refused ?? "") })
      : documents[report.signatures.length === 0 ? "unsigned" : report.indication]
  return {
    title: shownText(name),
    standing,
    standingText: standings[standing],
    sentences: [ofSignatures, ...sayMentions(document, language)],
    rows: [{ label: labels.fingerprint, text: sha256, isCode: true }],
    parts: (report?.signatures ?? []).map((one, i) => saySignature(one, i + 1, language)),
    events: null,
  }
}

function sayMentions(document: VerifiedDocument, language: Language): readonly string[] {
  const { mentions, carriesStory, reportSealedBy, isSignedLater } = document
  const { document: words } = verifyWords(language)
  const sealer = reportSealedBy && quoted(shownText(reportSealedBy), language)
  const carries = [
    ...(carriesStory ? [words.carries] : []),
    ...(sealer ? [fill(words.sealedReport, { signer: sealer })] : []),
  ]
  if (mentions === null || (mentions.length === 0 && sealer)) return carries
  if (mentions.length === 0) return [...carries, words.unnamed]
  const say = ({ seq, type, at, of }: Mention) =>
    fill(of === "file" ? words.namesFile : words.namesEarlier, {
      seq: String(seq),
      event: sayEvent(type, language),
      time: sayTime(at, language),
    })
  return [...carries, ...mentions.map(say), ...(isSignedLater ? [words.signedLater] : [])]
}

function saySignature(signature: SignatureReport, n: number, language: Language): ToldPart {
  const { report: labels, indications, levels } = wordsOf(language)
  const { signer, time, timeProof, level, indication, subIndication, reasons, certificate } = signature
  const standing = standingOf(signature)
  const sub = subIndication === undefined ? [] : [saySubIndication(subIndication, language)]
  // Where the standard's word says all there is to say, it is not said twice.
  const why = reasons.filter(
    (reason) => reason.weight === "fail" && !sub.some((one) => one.startsWith(sayReason(reason, language))),
  )
  const notes = reasons.filter(({ weight }) => weight === "note")
  const at =
    time === undefined
      ? labels.timeProofs.none
      : `${sayTime(time, language)} (${labels.timeProofs[timeProof]})`
  const rows: readonly (Row | false)[] = [
    { label: labels.signer, text: signer === undefined ? labels.unknownSigner : shownText(signer) },
    { label: labels.time, text: at },
    { label: labels.level, text: levels[level] },
    certificate !== undefined && { label: labels.issuer, text: shownText(certificate.issuer) },
    ...why.map((reason): Row => ({ label: labels.why, text: sayReason(reason, language) })),
    ...notes.map((reason): Row => ({ label: labels.notes, text: sayReason(reason, language) })),
  ]
  return {
    title: fill(labels.signature, { n: String(n) }),
    standing,
    standingText: indications[indication].heading,
    sentences: [sayVerdict(signature, language), ...sub],
    rows: rows.filter((row) => row !== false),
    parts: [],
    events: null,
  }
}
