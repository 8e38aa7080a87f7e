import { Refusal } from "../refusal.ts"
import type { Document } from "./model.ts"
import { mustHaveOneView } from "./one-view.ts"
import type { HoldDocument, InspectPdf } from "./ports.ts"

export type ShowableParts = { readonly holdDocument: HoldDocument; readonly inspectPdf: InspectPdf }

/** Refuses documents of which it is not known that every page can be shown. */
export type MustBeShowable = (documents: readonly Document[]) => void

/**
 * Runs work that opens a request. Documents that were stored before uploads were rendered, or got a watermark since, are rendered
 * first. That takes seconds, so it happens between two attempts and not within the transaction.
 */
export async function openingShowable<T>(
  parts: ShowableParts,
  work: (mustBeShowable: MustBeShowable) => Promise<T>,
): Promise<T> {
  const rendered = new Set<string>()
  for (;;) {
    try {
      return await work((documents) => {
        const missing = documents.filter(({ id, viewChecked }) => !viewChecked && !rendered.has(id))
        if (missing.length > 0) throw new NotYetRendered(missing)
      })
    } catch (error) {
      if (!(error instanceof NotYetRendered)) throw error
      for (const document of error.documents) {
        await render(parts, document)
        rendered.add(document.id)
      }
    }
  }
}

class NotYetRendered extends Error {
  readonly documents: readonly Document[]
  constructor(documents: readonly Document[]) {
    super("Documents have to be rendered before their request opens.")
    this.name = "NotYetRendered"
    this.documents = documents
  }
}

async function render({ holdDocument, inspectPdf }: ShowableParts, document: Document): Promise<void> {
  const held = await holdDocument(document)
  try {
    const { view, active, signatureFields } = await inspectPdf(held)
    if (active.length > 0) throw new Refusal("pdf-active-content", `${document.title}: ${active.join(" ")}`)
    mustHaveOneView(view, { signatureFields, flattening: "elsewhere" })
  } finally {
    await held.release()
  }
}
