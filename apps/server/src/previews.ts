import type { Document } from "@paraph/core/document/model"
import type { Held, HoldDocument } from "@paraph/core/ports"
import type { Picture, RenderAsked } from "@paraph/gateways/pdf"

export type Previews = {
  /** The page as a picture; null where there is no such page. Rejects with a refusal where it cannot be drawn. */
  readonly picture: (document: Document, asked: RenderAsked) => Promise<Picture | null>
}

export type PreviewParts = {
  readonly holdDocument: HoldDocument
  readonly draw: (held: Held, asked: RenderAsked) => Promise<Picture | null>
  readonly keptBytes: number
}

/**
 * Pages that were drawn, in memory alone: nothing of a document is written down in plain. A document never changes, so
 * neither does its picture; whether somebody may see it is asked each time, before this.
 */
export function createPreviews({ holdDocument, draw, keptBytes }: PreviewParts): Previews {
  // In order of use: the first has not been asked for the longest.
  const kept = new Map<string, Picture>()
  const underWay = new Map<string, Promise<Picture | null>>()
  let bytes = 0

  const keep = (name: string, picture: Picture) => {
    kept.set(name, picture)
    bytes += picture.bytes.length
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytes <= keptBytes) return
      kept.delete(oldest)
      bytes -= freed.length
    }
  }
  const drawNow = async (name: string, document: Document, asked: RenderAsked) => {
    const held = await holdDocument(document)
    try {
      const picture = await draw(held, asked)
      if (picture !== null) keep(name, picture)
      return picture
    } finally {
      await held.release()
    }
  }
  return {
    picture: async (document, asked) => {
      const name = `${document.id} ${JSON.stringify(asked)}`
      const known = kept.get(name)
      if (known !== undefined) {
        kept.delete(name)
        kept.set(name, known)
        return known
      }
      // Two who ask for the same page wait for one drawing.
      const drawing = underWay.get(name) ?? drawNow(name, document, asked)
      underWay.set(name, drawing)
      try {
        return await drawing
      } finally {
        underWay.delete(name)
      }
    },
  }
}
