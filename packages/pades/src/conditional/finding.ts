// Content whose display depends on a condition: the medium (screen or print), the zoom, a click, the reader program. A signer
// sees one state, so a document that has another state is refused at upload (docs/pdf-reading.md).

export type ConditionalKind =
  | "annotation-visibility"
  | "annotation-appearance"
  | "layer-visibility"
  | "image-alternates"
  | "need-appearances"
  | "field-value"
  | "action"
  | "embedded-executable"
  | "page-not-renderable"
  | "reader-dependent"

export type ConditionalContent = {
  readonly kind: ConditionalKind
  /** A sentence for the sender: what was found, and in which object. */
  readonly detail: string
}

/** Findings of one document. The sentences go into an error message, so their number is limited. */
export type Findings = {
  readonly report: (kind: ConditionalKind, object: number, sentence: string) => void
  readonly list: () => readonly ConditionalContent[]
}

const MAX_FINDINGS = 20
const MAX_QUOTED_CHARACTERS = 60

/** Sorted by object, so that the result does not depend on the order of the walk. */
export function newFindings(): Findings {
  const found = new Map<
    string,
    { readonly kind: ConditionalKind; object: number; readonly sentence: string }
  >()
  return {
    report: (kind, object, sentence) => {
      const known = found.get(`${kind} ${sentence}`)
      if (known !== undefined) known.object = Math.min(known.object, object)
      else if (found.size < MAX_KNOWN) found.set(`${kind} ${sentence}`, { kind, object, sentence })
    },
    list: () =>
      [...found.values()]
        .sort((a, b) => a.object - b.object || (a.sentence < b.sentence ? -1 : 1))
        .slice(0, MAX_FINDINGS)
        .map(({ kind, object, sentence }) => ({
          kind,
          detail: object === NO_OBJECT ? `${sentence}.` : `${sentence} (object ${object}).`,
        })),
  }
}

/** The catalog, or a place without a number of its own. */
export const NO_OBJECT = 0

/** More than are listed, because the lowest objects are known only at the end. */
const MAX_KNOWN = 1_000

/** A name from the document in quotes. Control and format characters would change how an error message reads. */
export function quoted(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()
  return `"${plain.length > MAX_QUOTED_CHARACTERS ? `${plain.slice(0, MAX_QUOTED_CHARACTERS)}…` : plain}"`
}
