import type { Document } from "@paraph/core/document/model"
import type { Held } from "@paraph/core/document/ports"
import type { TextAsked, TextsRead } from "@paraph/gateways/pdf"
import { keeping, type PreviewParts } from "./previews.ts"

/** The text of some pages of a document; null where so much is being read that one has to come back. */
export type PageTexts = (document: Document, asked: TextAsked) => Promise<TextsRead | null>

type Parts = Omit<PreviewParts, "draw"> & {
  readonly read: (held: Held, asked: TextAsked) => Promise<TextsRead>
}

/** Kept in memory as pictures of pages are, and for the same reasons. */
export function createPageTexts({ read, ...parts }: Parts): PageTexts {
  const text = keeping<TextAsked, { readonly bytes: Uint8Array }>({
    ...parts,
    draw: async (held, asked) => ({ bytes: Buffer.from(JSON.stringify(await read(held, asked))) }),
  })
  return async (document, asked) => {
    const kept = await text(document, asked)
    return kept === null ? null : (JSON.parse(Buffer.from(kept.bytes).toString()) as TextsRead)
  }
}
