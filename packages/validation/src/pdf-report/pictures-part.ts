// The pages that look different: as they were signed, as they are, and where both differ.

import type { Block } from "@paraph/pades/paper-block"
import type { DocumentReport } from "../report.ts"
import { fill, wordsOf } from "../words/of-language.ts"
import type { Language } from "../words/words.ts"

/** PNG, each; null where the page was not there. `n` is what a change calls its `picture`. */
export type DifferencePictures = {
  readonly n: number
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly difference: Uint8Array | null
}

/** A report is kept in four languages, and mailed. */
export const MAX_PICTURE_BYTES = 15_000_000

export function picturesPart(
  { signatures }: DocumentReport,
  pictures: readonly DifferencePictures[],
  language: Language,
): readonly Block[] {
  const { report: words } = wordsOf(language)
  if (pictures.length === 0) return []
  const pages = new Map(
    signatures.flatMap(({ changes }) => changes).map(({ picture, page }) => [picture, page] as const),
  )
  const shown = asManyAsFit(pictures)
  const left = pictures.length - shown.length
  return [
    { type: "heading", level: 2, text: words.pictures },
    { type: "paragraph", text: words.picturesLead },
    ...shown.flatMap(({ n, before, after, difference }): readonly Block[] => {
      const page = pages.get(n)
      const where = page === undefined ? "" : `, ${fill(words.page, { page: String(page) })}`
      const named = `${fill(words.picture, { n: String(n) })}${where}`
      return [
        { type: "heading", level: 3, text: named },
        {
          type: "pictures",
          pictures: [
            { caption: words.before, png: before, absent: words.absent },
            { caption: words.after, png: after, absent: words.absent },
            { caption: words.difference, png: difference, absent: words.absent },
          ],
        },
      ]
    }),
    ...(left === 0
      ? []
      : [{ type: "paragraph", text: fill(words.moreChanges, { count: String(left) }) } as const]),
  ]
}

/** The interface has the rest. */
function asManyAsFit(pictures: readonly DifferencePictures[]): readonly DifferencePictures[] {
  let bytes = 0
  const end = pictures.findIndex(({ before, after, difference }) => {
    for (const png of [before, after, difference]) bytes += png?.length ?? 0
    return bytes > MAX_PICTURE_BYTES
  })
  return end === -1 ? pictures : pictures.slice(0, end)
}
