import type { Language } from "@paraph/core/language"
import type { Protocol, ProtocolPerson } from "@paraph/core/report/model"
import type { Block, Row, Sign } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"
import { foreignRow, grouped, row, shortened } from "@paraph/validation/paper-rows"
import { sayValue } from "./say-event.ts"
import { moment, timeline } from "./timeline.ts"
import { wordsOf } from "./words/of-language.ts"
import type { ProtocolWords } from "./words/words.ts"

/** What a person is called: by name, by address, or not at all. */
export const nameIn = ({ name, email }: ProtocolPerson, words: ProtocolWords): string =>
  name ?? email ?? words.nameless

const SIGNS: Readonly<Record<ProtocolPerson["state"], Sign>> = {
  signed: "good",
  open: "unclear",
  declined: "bad",
  error: "bad",
}

/** Who it was, how that is known, what was agreed to and with which certificate; then each step. */
export function personPart(
  { events }: Protocol,
  person: ProtocolPerson,
  language: Language,
): readonly Block[] {
  const words = wordsOf(language)
  const name = shortened(shownText(nameIn(person, words)), 80)
  return [
    { type: "heading", level: 2, text: name, sign: SIGNS[person.state] },
    { type: "rows", rows: [...identity(person, words), ...served(person, words), ...proofs(person, words)] },
    { type: "heading", level: 3, text: words.timeline },
    ...timeline(
      events.filter(({ signatureId }) => signatureId === person.signatureId),
      language,
    ),
  ]
}

function identity(person: ProtocolPerson, words: ProtocolWords): readonly Row[] {
  const { email, nameBy, nameProof, nameWarning, state, signedAt, declineReason } = person
  const { labels, states, values } = words
  const by = nameBy === null ? undefined : values.nameBy[nameBy]
  return [
    ...foreignRow(labels.email, email ?? undefined),
    ...foreignRow(
      labels.nameBy,
      by && (nameProof === null ? by : `${by} (${nameProof.source}, ${moment(new Date(nameProof.at))})`),
    ),
    ...row(labels.nameWarning, nameWarning === null ? undefined : values.nameWarning[nameWarning]),
    ...row(labels.state, states[state]),
    ...row(labels.signedAt, signedAt === null ? undefined : moment(signedAt)),
    ...foreignRow(labels.reason, declineReason ?? undefined),
  ]
}

/** What was served, not what was read: one entry for each document, in the order in which they were shown. */
function served({ served: documents }: ProtocolPerson, words: ProtocolWords): readonly Row[] {
  const entries = documents
    .slice(0, 50)
    .map(({ pages, pageCount }) =>
      pages === ""
        ? words.servedNone
        : words.servedPages
            .replace("{pages}", pages.replaceAll("-", "–"))
            .replace("{count}", String(pageCount)),
    )
  return row(words.labels.served, entries.join("; "))
}

function proofs({ consent, factors, ipAddresses, certificates }: ProtocolPerson, words: ProtocolWords) {
  const { labels } = words
  const proved = factors.map(({ at, kind, to }) => {
    const said = sayValue("kind", kind, words)
    return `${moment(at)}, ${said}${to === null ? "" : ` (${shownText(to)})`}`
  })
  return [
    ...row(labels.consent, consent === null ? undefined : agreed(consent, words)),
    ...row("SHA-256", consent === null ? undefined : grouped(shownText(consent.sha256))),
    ...row(labels.factors, proved.slice(0, 10).join("; ")),
    ...row(labels.ip, ipAddresses.slice(0, 20).map(shownText).join(", ")),
    ...certificates
      .slice(0, 5)
      .flatMap(({ subject, issuer, serialNumber, sha256 }) => [
        ...foreignRow(labels.certificate, subject ?? undefined),
        ...foreignRow(labels.issuer, issuer ?? undefined),
        ...foreignRow(labels.serialNumber, serialNumber ?? undefined),
        ...row(labels.certificateSha256, grouped(shownText(sha256))),
      ]),
  ]
}

function agreed(
  { at, version, language, through }: NonNullable<ProtocolPerson["consent"]>,
  words: ProtocolWords,
): string {
  const way = `${words.details.through}: ${sayValue("through", through, words)}`
  return `${moment(at)}, ${shownText(version)} (${shownText(language)}; ${way})`
}
