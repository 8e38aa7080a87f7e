import type { Language } from "@paraph/core/language"
import type { Protocol, ProtocolDocument, ProtocolVersion } from "@paraph/core/report/model"
import type { Block } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"
import { grouped, row, shortened } from "@paraph/validation/paper-rows"
import { fill } from "@paraph/validation/words-of-language"
import { nameIn } from "./person-part.ts"
import { moment } from "./timeline.ts"
import { wordsOf } from "./words/of-language.ts"

/** Each document with the fingerprint of every version that it has had. */
export function documentsPart(protocol: Protocol, language: Language): readonly Block[] {
  const words = wordsOf(language)
  return [
    { type: "heading", level: 2, text: words.documents },
    { type: "paragraph", text: words.documentsLead, look: "grey" },
    ...protocol.documents.flatMap((document) => documentBlocks(protocol, document, language)),
  ]
}

function documentBlocks(
  protocol: Protocol,
  { name, uploadedAt, sha256, versions }: ProtocolDocument,
  language: Language,
): readonly Block[] {
  const { labels } = wordsOf(language)
  return [
    { type: "heading", level: 3, text: shortened(shownText(name), 120) },
    {
      type: "rows",
      rows: [
        ...row(labels.uploaded, uploadedAt === null ? "–" : moment(uploadedAt)),
        ...row("SHA-256", grouped(sha256 ?? "–")),
        ...versions.flatMap((version, i) => [
          ...row(fill(labels.version, { n: String(i + 1) }), sayVersion(protocol, version, language)),
          ...row("SHA-256", grouped(version.sha256 ?? "–")),
        ]),
      ],
    },
  ]
}

function sayVersion({ people }: Protocol, { at, signatureId }: ProtocolVersion, language: Language) {
  const words = wordsOf(language)
  const person = people.find((one) => one.signatureId === signatureId)
  const name = person === undefined ? words.nameless : shortened(shownText(nameIn(person, words)), 80)
  const by = signatureId === null ? words.renewed : fill(words.signedBy, { name })
  return `${moment(at)}, ${by}`
}
