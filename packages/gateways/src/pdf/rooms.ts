import type { PdfDescription } from "@paraph/pades/describe"
import type { PrepareOptions } from "@paraph/pades/prepare"
import type { Prepared } from "@paraph/pades/prepared"
import { PdfRefused } from "@paraph/pades/refused"
import type { Said } from "./answer.ts"
import type { DocumentAsked } from "./document-child.ts"
import { documentProgram, renderProgram } from "./programs.ts"
import type { RenderAsked, Rendered } from "./render-child.ts"
import { type Program, type Room, type RoomLimits, startRoom } from "./room.ts"

export type PdfRoomsSettings = Partial<RoomLimits> & {
  /** How many processes of each kind are started ahead. */
  readonly warm?: number
  readonly maxConcurrent?: number
  readonly maxWaiting?: number
}

export type Picture = {
  readonly contentType: "image/webp"
  readonly bytes: Uint8Array
} & NonNullable<Rendered>

/** The document, or how to get it: then it takes no memory while it waits for its turn. */
export type Pdf = Uint8Array | (() => Promise<Uint8Array>)

export type PdfRooms = {
  readonly describe: (pdf: Pdf) => Promise<PdfDescription>
  readonly prepare: (pdf: Pdf, options: PrepareOptions) => Promise<Prepared>
  /** Pages are counted from 0; null where there is no such page. */
  readonly renderPage: (pdf: Pdf, asked: RenderAsked) => Promise<Picture | null>
  readonly close: () => Promise<void>
}

/** More documents wait than there is room for; the caller tries again later. */
export class PdfRoomsBusy extends Error {
  constructor() {
    super("Too many documents are being read at the moment.")
    this.name = "PdfRoomsBusy"
  }
}

/**
 * Every touch of a PDF from outside. The caller never parses one: a process does, that has seen no other document
 * and will see none (R18). Rejects with `PdfRefused` for the document's fault and `PdfRoomsBusy` for too many.
 */
export function createPdfRooms(settings: PdfRoomsSettings = {}): PdfRooms {
  const { warm = 1, maxConcurrent = 4, maxWaiting = 100 } = settings
  const { rssLimitBytes = 512_000_000, wallMs = 15_000, cpuSeconds = 10 } = settings
  const limits = { rssLimitBytes, wallMs, cpuSeconds }
  const documents = createStock(documentProgram, limits, warm)
  const renders = createStock(renderProgram, limits, warm)
  const inTurn = createTurns(maxConcurrent, maxWaiting)

  const read = async (asked: DocumentAsked, pdf: Pdf) =>
    (await inTurn(() => askOnce(documents, asked, pdf))).value
  return {
    describe: async (pdf) => (await read({ type: "describe" }, pdf)) as PdfDescription,
    prepare: async (pdf, options) => (await read({ type: "prepare", options }, pdf)) as Prepared,
    renderPage: async (pdf, asked) => {
      const { value, body } = await inTurn(() => askOnce(renders, asked, pdf))
      const size = value as Rendered
      return size === null ? null : { contentType: "image/webp", bytes: body, ...size }
    },
    close: async () => {
      await Promise.all([documents.close(), renders.close()])
    },
  }
}

async function askOnce(stock: { take: () => Room }, asked: DocumentAsked | RenderAsked, pdf: Pdf) {
  const bytes = typeof pdf === "function" ? await pdf() : pdf
  const { header, body } = await stock.take().ask(asked, bytes)
  const said = header as Said
  if (said.type === "refused") throw new PdfRefused(said.code, said.message)
  if (said.type === "done") return { value: said.value, body }
  throw new Error(said.type === "fault" ? said.message : "A PDF process said nothing.")
}

/** Processes started ahead, because a fresh one takes longer to start than most documents take to read. */
function createStock(program: Program, limits: RoomLimits, warm: number) {
  const rooms = new Set<Room>()
  let closed = false
  const start = () => {
    const room = startRoom(program, limits)
    rooms.add(room)
    room.process.once("close", () => rooms.delete(room))
    return room
  }
  const free = () => [...rooms].filter((room) => room.isFree())
  const fill = () => {
    for (let missing = warm - free().length; missing > 0; missing -= 1) start()
  }
  fill()
  return {
    take: (): Room => {
      if (closed) throw new Error("The PDF rooms are closed.")
      const room = free()[0] ?? start()
      // After this turn of the event loop the room has its document and is no longer free.
      setImmediate(() => closed || fill())
      return room
    },
    close: async () => {
      closed = true
      const ended = [...rooms].map((room) => new Promise((resolve) => room.process.once("close", resolve)))
      for (const room of rooms) room.kill()
      await Promise.all(ended)
    },
  }
}

function createTurns(maxConcurrent: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) throw new PdfRoomsBusy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place goes straight to the next in line, so that nobody can slip in between.
      if (next) next()
      else running -= 1
    }
  }
}
