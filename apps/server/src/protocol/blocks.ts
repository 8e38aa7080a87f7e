import type { Language } from "@paraph/core/language"
import type { Protocol } from "@paraph/core/report/model"
import type { Block, Row, Sign } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"
import { foreignRow, row, shortened } from "@paraph/validation/paper-rows"
import { sayTime } from "@paraph/validation/words"
import { fill } from "@paraph/validation/words-of-language"
import { checkPart } from "./check-part.ts"
import { documentsPart } from "./documents-part.ts"
import { nameIn, personPart } from "./person-part.ts"
import type { Shown } from "./shown.ts"
import { timeline } from "./timeline.ts"
import { wordsOf } from "./words/of-language.ts"

/** The whole protocol: the outcome first, then documents, people, the request, and how to check all of it. */
export function protocolBlocks(shown: Shown): readonly Block[] {
  const { protocol, language } = shown
  const words = wordsOf(language)
  const persons = new Set(protocol.people.map(({ signatureId }) => signatureId))
  // Also of those who are not among the signers any more.
  const rest = protocol.events.filter(({ signatureId }) => signatureId === null || !persons.has(signatureId))
  return [
    { type: "heading", level: 1, text: words.title },
    { type: "paragraph", text: words.subtitle, look: "grey" },
    // Before the outcome, so that nobody reads the one without the other.
    ...(protocol.kind === "demo" ? [{ type: "paragraph", text: words.demo } as const] : []),
    outcome(protocol, language),
    { type: "rows", rows: facts(shown) },
    ...documentsPart(protocol, language),
    ...protocol.people.flatMap((person) => personPart(protocol, person, language)),
    { type: "heading", level: 2, text: words.request },
    ...timeline(rest, language),
    ...checkPart(shown),
  ]
}

function facts({ protocol, language, sealer }: Shown): readonly Row[] {
  const { labels, qualities } = wordsOf(language)
  const { title, requestId, sender, quality, createdAt, endedAt, events } = protocol
  return [
    ...foreignRow(labels.title, title),
    ...row(labels.id, requestId),
    ...foreignRow(labels.sender, sender),
    ...row(labels.quality, qualities[quality]),
    ...row(labels.created, sayTime(createdAt.toISOString(), language)),
    ...row(labels.ended, endedAt === null ? undefined : sayTime(endedAt.toISOString(), language)),
    ...row(labels.events, String(events.length)),
    ...foreignRow(labels.sealedBy, sealer ?? undefined),
  ]
}

const SIGNS: Readonly<Record<Protocol["status"], Sign>> = {
  SIGNED: "good",
  DRAFT: "unclear",
  OPEN: "unclear",
  DECLINED: "bad",
  ERROR: "bad",
  EXPIRED: "bad",
  WITHDRAWN: "bad",
}

function outcome({ status, people }: Protocol, language: Language): Block {
  const words = wordsOf(language)
  const { heading, text } = words.outcomes[status]
  const signed = people.filter(({ state }) => state === "signed").length
  const decliner = people.find(({ state }) => state === "declined")
  const values = {
    signed: String(signed),
    count: String(people.length),
    who: decliner === undefined ? words.nameless : shortened(shownText(nameIn(decliner, words)), 80),
  }
  const said = status === "SIGNED" && people.length === 1 ? words.oneSigned : fill(text, values)
  return { type: "verdict", sign: SIGNS[status], heading, text: said }
}
