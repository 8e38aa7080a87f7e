// One story in words.

import type { EvidenceBody } from "@paraph/evidence/body"
import { shownText } from "@paraph/pki/shown-text"
import type { TimestampReport } from "@paraph/validation/report"
import { quoted, sayReason, sayTime } from "@paraph/validation/words"
import { fill, wordsOf } from "@paraph/validation/words-of-language"
import type { Row, ToldEvents, ToldPart } from "./say.ts"
import { standingOf, type VerifiedStory } from "./verified.ts"
import { type Language, sayEvent, verifyWords } from "./words/words.ts"

export function sayStory(story: VerifiedStory, language: Language): ToldPart {
  const { standings, story: words } = verifyWords(language)
  const { standing, name, request, key, head, events } = story
  const rows: readonly (Row | false)[] = [
    { label: words.request, text: shownText(request), isCode: true },
    head !== null && {
      label: words.log,
      text: fill(words.logSize, { origin: shownText(head.origin), size: String(head.size) }),
    },
    { label: words.key, text: shownText(key.line), isCode: true },
    { label: words.keyFingerprint, text: key.fingerprint, isCode: true },
  ]
  return {
    title: fill(words.title, { name: shownText(name) }),
    standing,
    standingText: standings[standing],
    sentences: sentencesOf(story, language),
    rows: rows.filter((row) => row !== false),
    parts: [],
    events: events.length === 0 ? null : sayEvents(events, language),
  }
}

// Who changed every event of a long story is told of so many.
const MAX_FAULTS = 20

function sentencesOf(
  { faults, told, key, head, stamp }: VerifiedStory,
  language: Language,
): readonly string[] {
  const { story: words } = verifyWords(language)
  const { report: labels } = wordsOf(language)
  const wrong = faults
    .slice(0, MAX_FAULTS)
    .map(({ fault, seq }) => fill(words.faults[fault], { seq: String(seq ?? "") }))
  const more = faults.length - wrong.length
  if (more > 0) wrong.push(fill(labels.moreChanges, { count: String(more) }))
  const ofEvents = faults.length === 0 ? [fill(words.whole, { count: String(told) })] : wrong
  // Without a head that can be believed, nothing stands on the key.
  if (head === null) return ofEvents
  return [
    ...ofEvents,
    key.isTrusted ? words.trustedKey : words.ownKey,
    ...(stamp === null ? [words.noStamp] : sayStamp(stamp, faults.length === 0, language)),
  ]
}

function sayStamp(stamp: TimestampReport, isWhole: boolean, language: Language): readonly string[] {
  const { story: words } = verifyWords(language)
  const values = {
    time: stamp.time === undefined ? "?" : sayTime(stamp.time, language),
    authority: quoted(shownText(stamp.authority ?? ""), language),
  }
  const template = {
    holds: isWhole ? words.stampHolds : words.stampOfHead,
    fails: words.stampFails,
    unsure: words.stampUnsure,
  }
  const why = stamp.reasons.filter(({ weight }) => weight === "fail")
  return [fill(template[standingOf(stamp)], values), ...why.map((reason) => sayReason(reason, language))]
}

function sayEvents(events: readonly EvidenceBody[], language: Language): ToldEvents {
  const { story: words } = verifyWords(language)
  return {
    title: words.events,
    heads: [words.number, words.time, words.event, words.details],
    rows: events.map(({ seq, at, type, data }) => [
      String(seq),
      sayTime(at, language),
      sayEvent(type, language),
      detailsOf(data),
    ]),
  }
}

/** As it was logged: the names are those of the log, for whoever looks closer. */
function detailsOf(data: EvidenceBody["data"]): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${shownText(name)}: ${shownText(String(value))}`)
    .join(" · ")
}
