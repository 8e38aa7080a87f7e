import { getPriority, setPriority } from "node:os"
import { dirname, resolve } from "node:path"
import type { PdfDescription } from "@paraph/pades/describe"
import type { Pixels } from "@paraph/pades/image"
import type { PrepareOptions } from "@paraph/pades/prepare"
import type { Prepared } from "@paraph/pades/prepared"
import { PdfRefused } from "@paraph/pades/refused"
import type { WatermarkOptions } from "@paraph/pades/watermark"
import type { SealedFile } from "@paraph/seal/file"
import { BULK_BYTES, createLane, type Lane } from "../lane.ts"
import type { AskOutside, Said, Told } from "./answer.ts"
import type { DocumentAsked } from "./document-child.ts"
import { PdfAskedWrongly, PdfRoomsBusy, PdfUnmet } from "./failed.ts"
import type { PictureFormat } from "./picture.ts"
import type { PictureCleaned, PictureTold, PictureUse } from "./picture-child.ts"
import { documentProgram, pictureProgram, renderProgram } from "./programs.ts"
import type { RaiseAsked, Raised } from "./raise-held.ts"
import type { RenderAsked, Rendered, TextAsked, TextsRead } from "./render-child.ts"
import type { Room, RoomLimits } from "./room.ts"
import { createStock, type Stock } from "./stock.ts"
import { type Surroundings, surroundings } from "./surroundings.ts"

export type { AskOutside, Question } from "./answer.ts"
export type { PageText, TextLine } from "./page-text.ts"
export type { RaiseAsked, Raised } from "./raise-held.ts"
export type { RenderAsked, TextAsked, TextsRead } from "./render-child.ts"

export type PdfRoomsSettings = Partial<RoomLimits> & {
  /** Where the sealed files lie, on a local disk. The processes may read here; each can open one file. */
  readonly folder: string
  /** How many processes that read are started ahead, and half as many that draw, or as many as is said. */
  readonly warm?: number
  readonly warmDrawing?: number
  /** How many small documents are read at a time. */
  readonly small?: number
  /** How many documents above 8 MB are read at a time, next to the small ones. */
  readonly bulk?: number
  /** How many of each may wait, and how long. */
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
}

export type Picture = {
  readonly contentType: `image/${PictureFormat}`
  readonly bytes: Uint8Array
} & NonNullable<Rendered>

export type PdfRooms = {
  readonly describe: (file: SealedFile) => Promise<PdfDescription>
  readonly prepare: (file: SealedFile, options: PrepareOptions) => Promise<Prepared>
  /** The bytes to append to the document. */
  readonly watermark: (file: SealedFile, options: WatermarkOptions) => Promise<Uint8Array>
  /** The bytes to append behind the tail. What it wants to know of authorities, `outside` tells. */
  readonly raise: (file: SealedFile, asked: RaiseAsked, outside: AskOutside) => Promise<Raised>
  /** Pages are counted from 0; null where there is no such page. */
  readonly renderPage: (file: SealedFile, asked: RenderAsked) => Promise<Picture | null>
  /** The text of some pages, each with its lines. */
  readonly readTexts: (file: SealedFile, asked: TextAsked) => Promise<TextsRead>
  /** A picture of a signature as pixels on white, trimmed; the file is PNG or JPEG, else `PdfAskedWrongly`. */
  readonly cleanPicture: (picture: Uint8Array, use?: PictureUse) => Promise<Omit<Pixels, "mask">>
  /** What the system allows us to take from the processes; for whoever runs the service. */
  readonly surroundings: () => Surroundings
  readonly close: () => Promise<void>
}

/** Drawing never takes a place of what uploads and signatures need, however many pages are asked for. */
const DRAWING = { small: 2, bulk: 1, maxWaiting: 40 }
/** Nor does a picture, which few people send, and never two of them. */
const PICTURES = { slots: 2, maxWaiting: 20 }

type Work = { readonly stock: Stock; readonly small: Lane; readonly bulk: Lane }

/**
 * Every touch of a PDF from outside. The caller never parses one, nor holds one: a process opens the sealed file itself,
 * that has seen no other document and will see none (R18). Rejects with `PdfRefused` for the document's fault,
 * `PdfAskedWrongly` for the caller's and `PdfRoomsBusy` for too many.
 */
export function createPdfRooms(settings: PdfRoomsSettings): PdfRooms {
  const {
    warm = 2,
    warmDrawing = Math.ceil(warm / 2),
    small = 4,
    bulk = 2,
    maxWaiting = 100,
    maxWaitMs = 60_000,
  } = settings
  const { rssLimitBytes = 512_000_000, wallMs = 15_000, cpuSeconds = 10 } = settings
  const limits = { rssLimitBytes, wallMs, cpuSeconds }
  const folder = resolve(settings.folder)
  const documents = createStock(documentProgram(folder), folder, limits, warm)
  const renders = createStock(renderProgram(folder), folder, limits, warmDrawing)
  const pictures = createStock(pictureProgram, folder, limits, 0)
  const waits = { maxWaiting, maxWaitMs, busy: () => new PdfRoomsBusy() }
  const reading = {
    stock: documents,
    small: createLane({ ...waits, slots: small }),
    bulk: createLane({ ...waits, slots: bulk }),
  }
  const drawingWaits = { ...waits, maxWaiting: DRAWING.maxWaiting }
  const drawing = {
    stock: renders,
    small: createLane({ ...drawingWaits, slots: DRAWING.small }),
    bulk: createLane({ ...drawingWaits, slots: DRAWING.bulk }),
  }

  const looking = createLane({ ...waits, ...PICTURES })
  const ask = async ({ stock, ...lanes }: Work, file: SealedFile, asked: Asked, outside?: AskOutside) => {
    if (dirname(resolve(file.path)) !== folder) throw new Error("The file is not in the folder of the rooms.")
    if (file.sizeBytes <= BULK_BYTES)
      return lanes.small(() => answerOf(stock.take(), { file, asked }, outside))
    return lanes.bulk(() => answerOf(lessUrgent(stock.take()), { file, asked }, outside))
  }
  return {
    describe: async (file) => (await ask(reading, file, { type: "describe" })).value as PdfDescription,
    prepare: async (file, options) =>
      (await ask(reading, file, { type: "prepare", options })).value as Prepared,
    watermark: async (file, options) => (await ask(reading, file, { type: "watermark", options })).body,
    raise: async (file, asked, outside) => {
      const { value, body } = await ask(reading, file, { type: "raise", ...asked }, outside)
      return { ...(value as Omit<Raised, "tail">), tail: body }
    },
    renderPage: async (file, asked) => {
      const { value, body } = await ask(drawing, file, asked)
      const size = value as Rendered
      return size === null ? null : { contentType: `image/${asked.format}`, bytes: body, ...size }
    },
    readTexts: async (file, asked) => (await ask(drawing, file, asked)).value as TextsRead,
    cleanPicture: async (picture, use = "signature") => {
      const told: PictureTold = { picture, use }
      const { value, body } = await looking(() => answerOf(pictures.take(), told))
      return { ...(value as PictureCleaned), rgb: body }
    },
    surroundings,
    close: async () => {
      await Promise.all([documents.close(), renders.close(), pictures.close()])
    },
  }
}

type Asked = DocumentAsked | RenderAsked | TextAsked

async function answerOf(room: Room, told: Told<Asked> | PictureTold, outside?: AskOutside) {
  const { header, body } = await room.ask(told, outside)
  const said = header as Said
  if (said.type === "done") return { value: said.value, body }
  if (said.type === "refused") throw new PdfRefused(said.code, said.message)
  if (said.type === "asked-wrongly") throw new PdfAskedWrongly(said.message)
  if (said.type === "unmet") throw new PdfUnmet(said.want, said.message)
  throw new Error(said.type === "fault" ? said.message : "A PDF process said nothing.")
}

// A third of an ordinary share: somebody waits for a small document, but a big one must still come to its end in time.
const LESS_URGENT = 5
const LEAST_URGENT = 19

function lessUrgent(room: Room): Room {
  try {
    if (room.process.pid !== undefined)
      setPriority(room.process.pid, Math.min(getPriority() + LESS_URGENT, LEAST_URGENT))
  } catch {
    // It has ended already, which the asking will tell.
  }
  return room
}
