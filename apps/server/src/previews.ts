import type { Document } from "@paraph/core/document/model"
import type { Held, HoldDocument } from "@paraph/core/document/ports"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type { Picture, RenderAsked } from "@paraph/gateways/pdf"

export type Previews = {
  /**
   * The page as a picture; null where so much is being drawn that this is not even begun, and one has to come back.
   * Rejects with a refusal where it cannot be drawn.
   */
  readonly picture: (document: Document, asked: RenderAsked) => Promise<Picture | null>
}

export type PreviewParts<Asked = RenderAsked, Shown = Picture> = {
  readonly holdDocument: HoldDocument
  /** Null where it finds no such page. */
  readonly draw: (held: Held, asked: Asked) => Promise<Shown | null>
  readonly keptBytes: number
  readonly now: Clock
}

/** An attempt may cost all that a process is allowed; but it may also have met a machine that had much else to do. */
const NOT_AGAIN_MS = 10 * 60_000
const MOST_FAILURES = 10_000

/** Each has its document on the spool from the first moment, so this is also how much of it previews can take. */
const DRAWINGS = { perOwner: 8, total: 16 }

/** When to come back, for whoever was told to. */
export const DRAWN_SECONDS = 1

type Failure = { readonly refusal: Refusal; readonly until: number }

export const createPreviews = (parts: PreviewParts): Previews => ({ picture: keeping(parts) })

/**
 * Pages that were drawn, in memory alone: nothing of a document is written down in plain. A document never changes, so
 * neither does its picture; whether somebody may see it is asked each time, before this.
 */
export function keeping<Asked, Shown extends { readonly bytes: Uint8Array }>({
  holdDocument,
  draw,
  keptBytes,
  now,
}: PreviewParts<Asked, Shown>): (document: Document, asked: Asked) => Promise<Shown | null> {
  // In order of use: the first has not been asked for the longest.
  const kept = new Map<string, Shown>()
  const failures = new Map<string, Failure>()
  const underWay = new Map<string, Promise<Shown>>()
  const places = createInFlightLimiter(DRAWINGS)
  let bytes = 0

  const keep = (name: string, picture: Shown) => {
    kept.set(name, picture)
    bytes += picture.bytes.length
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytes <= keptBytes) return
      kept.delete(oldest)
      bytes -= freed.length
    }
  }
  /** Who is told to come back while a page is drawn must find an answer then, also where there is no picture. */
  const keepFailure = (name: string, error: unknown) => {
    if (!(error instanceof Refusal && error.code === "cannot-render")) return
    failures.delete(name)
    failures.set(name, { refusal: error, until: now().getTime() + NOT_AGAIN_MS })
    for (const oldest of failures.keys()) if (failures.size > MOST_FAILURES) failures.delete(oldest)
  }
  const drawNow = async (name: string, document: Document, asked: Asked) => {
    const held = await holdDocument(document)
    try {
      const picture = await draw(held, asked)
      // The document has the page: whoever asks has looked. So there are two opinions on what a page of it is.
      if (picture === null) throw new Refusal("cannot-render", "The page cannot be drawn.")
      keep(name, picture)
      return picture
    } catch (error) {
      keepFailure(name, error)
      throw error
    } finally {
      await held.release()
    }
  }
  return async (document, asked) => {
    const name = `${document.id} ${JSON.stringify(asked)}`
    const known = kept.get(name)
    if (known !== undefined) {
      kept.delete(name)
      kept.set(name, known)
      return known
    }
    const failure = failures.get(name)
    if (failure !== undefined && now().getTime() < failure.until) throw failure.refusal
    // Two who ask for the same page wait for one drawing.
    const begun = underWay.get(name)
    if (begun !== undefined) return begun
    const end = places.begin(ownerOf(document))
    if (typeof end === "string") return null
    const drawing = drawNow(name, document, asked)
    underWay.set(name, drawing)
    try {
      return await drawing
    } finally {
      underWay.delete(name)
      end()
    }
  }
}
