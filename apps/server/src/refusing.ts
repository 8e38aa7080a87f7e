import type { ViewFinding } from "@paraph/core/document/model"
import type {
  FetchFile,
  FlattenPdf,
  Held,
  InspectPdf,
  ReadHeld,
  ScanBytes,
  WatermarkPdf,
} from "@paraph/core/document/ports"
import type { Tenant } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal, type RefusalCode } from "@paraph/core/refusal"
import { fetchFile } from "@paraph/gateways/fetch-file"
import { KeyEncryptionFailed } from "@paraph/gateways/key-encryption-failed"
import type { KeyRing } from "@paraph/gateways/key-ring"
import type { Outbound } from "@paraph/gateways/outbound"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import type {
  AskOutside,
  PdfRooms,
  RaiseAsked,
  RenderAsked,
  TextAsked,
  ViewCheckOptions,
} from "@paraph/gateways/pdf"
import { PdfAskedWrongly, PdfRoomsBusy } from "@paraph/gateways/pdf-failed"
import type { Scanner } from "@paraph/gateways/scanner"
import { ScannerFailed } from "@paraph/gateways/scanner-failed"
import type { ImagePixels } from "@paraph/pades/image-pixels"
import { writePng } from "@paraph/pades/png"
import type { PrepareOptions } from "@paraph/pades/prepare"
import { PdfRefused } from "@paraph/pades/refused"

/** What a gateway says about something that came from outside, as a refusal that the caller can be told. */

const PDF_CODES: Readonly<Record<PdfRefused["code"], RefusalCode>> = {
  corrupt: "pdf-corrupt",
  encrypted: "pdf-encrypted",
  locked: "pdf-locked",
  xfa: "pdf-xfa",
  "too-complex": "pdf-too-complex",
}

export const ofPdf = (cause: unknown): never => {
  if (cause instanceof PdfRefused) throw new Refusal(PDF_CODES[cause.code], cause.message, { cause })
  if (cause instanceof PdfAskedWrongly) throw new Refusal("constraint-violated", cause.message, { cause })
  if (cause instanceof PdfRoomsBusy) throw partDown("Too many documents at once.", cause, 5)
  throw cause
}

const partDown = (detail: string, cause: unknown, retryAfterSeconds: number): Refusal =>
  new Refusal("part-down", detail, { cause, retryAfterSeconds })

export const inspecting =
  (rooms: PdfRooms): InspectPdf =>
  async ({ file, businessId, kind: mode }, isOurs = false) => {
    const owner = { businessId, kind: mode }
    const { active, conditional, shownFields, hasLayers, imagePixels, ...described } = await rooms
      .describe(file, owner, isOurs ? "ours" : { maxPages: LIMITS.documentPages })
      .catch(ofPdf)
    const found: readonly ViewFinding[] = [
      ...conditional.map(({ kind, detail }) => ({ reason: kind, detail })),
      ...(isOurs ? [] : tooManyPixels(imagePixels)),
    ]
    const isRefused = described.locked || active.length > 0 || found.length > 0
    // What was refused by its structure is not rendered, nor what we wrote ourselves.
    const view =
      isOurs || isRefused
        ? found
        : await rendered(
            rooms,
            { file, ...owner },
            { pageCount: described.pageCount, shownFields, hasLayers },
            imagePixels,
          )
    return { ...described, active: active.map(({ detail }) => detail), view }
  }

/** The document is at fault, so the answer tells the sender which page would look different. */
export const flattening =
  (rooms: PdfRooms): FlattenPdf =>
  ({ file, ...owner }) =>
    rooms
      .flatten(file, owner, { maxPixels: LIMITS.viewPixels, budgetMs: LIMITS.viewCpuMs })
      .catch((cause: unknown) => {
        if (cause instanceof PdfRefused && cause.code !== "locked")
          throw new Refusal(
            "pdf-ambiguous-view",
            `The PDF cannot be flattened. ${cause.message} Print it into a new PDF and upload that one.`,
            { cause },
          )
        return ofPdf(cause)
      })

const inMillions = (pixels: number): number => Math.ceil(pixels / 1_000_000)

/**
 * A rendering takes more CPU time on a busy machine, so images are refused by what they declare, and the budget is several times
 * what those need that are not refused.
 */
export function tooManyPixels({ total, largest, largestObject }: ImagePixels): readonly ViewFinding[] {
  const finding = (detail: string) => [{ reason: "render-budget" as const, detail }]
  if (largest > LIMITS.viewImagePixels)
    return finding(
      `An image (object ${largestObject}) has ${inMillions(largest)} million pixels; at most ${inMillions(LIMITS.viewImagePixels)} million are rendered.`,
    )
  if (total > LIMITS.viewAllImagePixels)
    return finding(
      `The images have ${inMillions(total)} million pixels together; at most ${inMillions(LIMITS.viewAllImagePixels)} million are rendered.`,
    )
  return []
}

export const viewBudgetMs = (pages: number, { total }: ImagePixels): number =>
  Math.min(
    LIMITS.viewCpuMs,
    LIMITS.viewFirstCpuMs + LIMITS.viewPageCpuMs * pages + LIMITS.viewMegapixelCpuMs * inMillions(total),
  )

async function rendered(
  rooms: PdfRooms,
  { file, ...owner }: Pick<Held, "file" | "businessId" | "kind">,
  described: Pick<ViewCheckOptions, "pageCount" | "shownFields" | "hasLayers">,
  images: ImagePixels,
): Promise<readonly ViewFinding[]> {
  const budgetMs = viewBudgetMs(described.pageCount, images)
  const options = { ...described, maxPixels: LIMITS.viewPixels, budgetMs }
  return rooms.checkView(file, owner, options).catch((cause: unknown) => {
    if (!(cause instanceof PdfRefused)) return ofPdf(cause)
    return [{ reason: "page-not-renderable", detail: cause.message }] as const
  })
}

export const watermarking =
  (rooms: PdfRooms): WatermarkPdf =>
  ({ file, ...owner }, watermark) =>
    rooms.watermark(file, owner, watermark).catch(ofPdf)

export const preparing =
  (rooms: PdfRooms) =>
  ({ file, ...owner }: Held, options: PrepareOptions, isSoonRaised = false) =>
    rooms.prepare(file, owner, options, { isReused: true, stays: isSoonRaised }).catch(ofPdf)

export const raising =
  (rooms: PdfRooms) =>
  ({ file, ...owner }: Held, asked: RaiseAsked, outside: AskOutside) =>
    rooms.raise(file, owner, asked, outside, true).catch(ofPdf)

/** What can be signed can nearly always be drawn; what cannot is no fault of who asks (decisions, "previews"). */
export const rendering =
  (rooms: PdfRooms) =>
  ({ file, ...owner }: Held, asked: RenderAsked) =>
    rooms.renderPage(file, owner, asked).catch((cause: unknown) => {
      if (cause instanceof PdfRefused) throw new Refusal("cannot-render", cause.message, { cause })
      return ofPdf(cause)
    })

/** The text of a page, where a page can be read at all. */
export const readingTexts =
  (rooms: PdfRooms) =>
  ({ file, ...owner }: Held, asked: TextAsked) =>
    rooms.readTexts(file, owner, asked).catch((cause: unknown) => {
      if (cause instanceof PdfRefused) throw new Refusal("cannot-render", cause.message, { cause })
      return ofPdf(cause)
    })

/** A picture to sign with, or a logo, as a PNG of our own making; whatever is wrong with it, who sent it can send another. */
export const cleaningPictures =
  (rooms: PdfRooms) =>
  async (
    picture: Uint8Array,
    owner: Tenant,
    use: "signature" | "logo" = "signature",
  ): Promise<CleanPicture> => {
    const pixels = await rooms.cleanPicture(picture, owner, use).catch((cause: unknown) => {
      if (cause instanceof PdfRefused)
        throw new Refusal("constraint-violated", "The picture cannot be read.", { cause })
      return ofPdf(cause)
    })
    return { width: pixels.width, height: pixels.height, png: writePng(pixels) }
  }

export type CleanPicture = { readonly width: number; readonly height: number; readonly png: Uint8Array }

/** R21: whatever is not found clean is not clean; only what was found is the document's own fault. */
export const scanning =
  (scanner: Scanner | null, read: ReadHeld): ScanBytes =>
  async (held) => {
    if (scanner === null) return
    const verdict = await scanner.scan(held, read(held), held.sizeBytes).catch((cause: unknown) => {
      if (cause instanceof ScannerFailed) throw partDown("The malware scanner gave no verdict.", cause, 30)
      throw cause
    })
    if (verdict.clean) return
    // What it found is for our log: a name would tell whoever tries which scanner to get around.
    const cause = new Error(`The scanner found ${verdict.finding}.`)
    throw new Refusal("malware-detected", "The malware scanner found something.", { cause })
  }

export const downloading =
  (outbound: Outbound): FetchFile =>
  async (url, maxBytes) => {
    const { contentType, bytes } = await fetchFile(outbound, url, { maxBytes }).catch(ofDownload)
    return { contentType, bytes: toldApart(bytes) }
  }

/** A download may also fail while it is read. */
async function* toldApart(bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes
  } catch (error) {
    ofDownload(error)
  }
}

const ofDownload = (cause: unknown): never => {
  if (!(cause instanceof OutboundFailed)) throw cause
  const code = cause.code === "too-large" ? "pdf-too-large" : "file-url-failed"
  throw new Refusal(code, `file_url: ${cause.message}`, { cause })
}

/** Where the operator's key cannot be reached, documents cannot be opened or kept: a part of ours is down. */
export const unwrapping = (ring: KeyRing): Pick<KeyRing, "currentId" | "ids" | "wrap" | "unwrap"> => ({
  ...ring,
  wrap: (key, context) => ring.wrap(key, context).catch(ofKeys),
  unwrap: (wrapped, context) => ring.unwrap(wrapped, context).catch(ofKeys),
})

const ofKeys = (cause: unknown): never => {
  // Also where an operator has to act first, such as with a wrong PIN: no caller can do anything but come back.
  if (cause instanceof KeyEncryptionFailed && cause.code !== "corrupt")
    throw partDown("The keys of the documents cannot be reached.", cause, 10)
  throw cause
}
