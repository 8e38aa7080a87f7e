import type { DescribePdf, FetchFile } from "@paraph/core/ports"
import { Refusal, type RefusalCode } from "@paraph/core/refusal"
import { fetchFile } from "@paraph/gateways/fetch-file"
import type { Outbound } from "@paraph/gateways/outbound"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { type Pdf, type PdfRooms, PdfRoomsBusy } from "@paraph/gateways/pdf"
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

const ofPdf = (error: unknown): never => {
  if (error instanceof PdfRefused) throw new Refusal(PDF_CODES[error.code], error.message, { cause: error })
  if (error instanceof PdfRoomsBusy)
    throw new Refusal("part-down", "Too many documents at once.", { cause: error, retryAfterSeconds: 5 })
  throw error
}

export const describing =
  (rooms: PdfRooms): DescribePdf =>
  async (pdf) => {
    const { pageCount, pageWidth, pageHeight, locked } = await rooms.describe(pdf).catch(ofPdf)
    // Said at the door rather than after somebody has pressed "Sign".
    if (locked) throw new Refusal("pdf-locked", "An earlier signature forbids any change of this document.")
    return { pageCount, pageWidth, pageHeight }
  }

export const preparing = (rooms: PdfRooms) => (pdf: Uint8Array, options: PrepareOptions) =>
  rooms.prepare(pdf, options).catch(ofPdf)

export const rendering = (rooms: PdfRooms) => (pdf: Pdf, page: number, widthPx: number) =>
  rooms.renderPage(pdf, { page, widthPx }).catch(ofPdf)

export const downloading =
  (outbound: Outbound): FetchFile =>
  (url, maxBytes) =>
    fetchFile(outbound, url, { maxBytes }).catch((error: unknown) => {
      if (!(error instanceof OutboundFailed)) throw error
      const code = error.code === "too-large" ? "pdf-too-large" : "file-url-failed"
      throw new Refusal(code, `file_url: ${error.message}`, { cause: error })
    })
