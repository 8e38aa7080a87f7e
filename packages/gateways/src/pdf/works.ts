// The kinds of work on PDFs, each with processes and lanes of its own: none takes a place from another.

import { resolve } from "node:path"
import { createLane, type Lane, type LaneLimits } from "../lane.ts"
import { PdfRoomsBusy } from "./failed.ts"
import {
  compareProgram,
  documentProgram,
  pictureProgram,
  renderProgram,
  validateProgram,
  viewCheckProgram,
} from "./programs.ts"
import type { RoomLimits } from "./room.ts"
import { requireSandbox, type SandboxPolicy } from "./sandbox/sandbox.ts"
import { createStock, type Stock } from "./stock.ts"

export type PdfRoomsSettings = Partial<RoomLimits> & {
  /** Where the sealed files lie, on a local disk. The processes may read here; each can open one file. */
  readonly folder: string
  /** With "required" nothing starts where Landlock and seccomp cannot be enforced; "preferred" unless given. */
  readonly sandbox?: SandboxPolicy
  /** How many processes that read are started ahead, and half as many that draw, or as many as is said. */
  readonly warm?: number
  readonly warmDrawing?: number
  /** How many that render a whole upload for screen and print; as many as draw, unless given. */
  readonly warmViewing?: number
  /** How many that judge, and that compare two revisions; by default none, for only validation needs them. */
  readonly warmValidating?: number
  readonly warmComparing?: number
  /** How many small documents are read at a time. */
  readonly small?: number
  /** How many documents above 8 MB are read at a time, next to the small ones. */
  readonly bulk?: number
  /** How many of each may wait, and how long. */
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
}

/** Drawing never takes a place of what uploads and signatures need, however many pages are asked for. */
const DRAWING = { small: 2, bulk: 1, maxWaiting: 40 }
/** Rendering uploads takes no place of reading them, and one owner never has all of it. */
const VIEWING = { small: 3, bulk: 2, maxWaiting: 100, isShared: true }
/** Nor does judging, or comparing revisions; there, one place is always left for whoever else comes. */
const JUDGING = { small: 3, bulk: 2, maxWaiting: 40, isShared: true }
const COMPARING = { small: 2, bulk: 2, maxWaiting: 40, isShared: true }
/** A hostile document costs who judges it five seconds, and 512 MB with what it takes between two looks. */
const JUDGING_LIMITS = { cpuSeconds: 5, rssLimitBytes: 450_000_000 }
const VIEWING_CPU_SECONDS = 34
/** Twelve times that may pass on a machine that is busy with other documents. */
const VIEWING_WALL_MS = 400_000
/** An honest one has been judged by then; the others give way to it. */
const GIVES_WAY_AFTER_MS = 1_000
/** Nor does a picture, which few people send, and never two of them. */
const PICTURES = { slots: 2, maxWaiting: 20 }

export type Work = { readonly stock: Stock; readonly small: Lane; readonly bulk: Lane }

export function createWorks(settings: PdfRoomsSettings) {
  const { warm = 2, warmDrawing = Math.ceil(warm / 2), warmValidating = 0, warmComparing = 0 } = settings
  const { warmViewing = warmDrawing } = settings
  const { small = 4, bulk = 2, maxWaiting = 100, maxWaitMs = 60_000 } = settings
  const { rssLimitBytes = 512_000_000, wallMs = 15_000, cpuSeconds = 10 } = settings
  const limits = { rssLimitBytes, wallMs, cpuSeconds }
  const judging = {
    // What ends a costly document is the processor's time. One that has not had that by then has met a busy machine.
    wallMs: 4 * wallMs,
    cpuSeconds: Math.min(cpuSeconds, JUDGING_LIMITS.cpuSeconds),
    rssLimitBytes: Math.min(rssLimitBytes, JUDGING_LIMITS.rssLimitBytes),
    givesWayAfterMs: GIVES_WAY_AFTER_MS,
  }
  // The child ends by itself at its budget; the kernel ends it where one page alone takes longer.
  const viewing = { ...judging, wallMs: VIEWING_WALL_MS, cpuSeconds: VIEWING_CPU_SECONDS, rssLimitBytes }
  const folder = resolve(settings.folder)
  requireSandbox(settings.sandbox ?? "preferred", folder)
  const documents = createStock(documentProgram(folder), folder, limits, warm)
  const renders = createStock(renderProgram(folder), folder, limits, warmDrawing)
  const views = createStock(viewCheckProgram(folder), folder, viewing, warmViewing)
  const validates = createStock(validateProgram(folder), folder, judging, warmValidating)
  const compares = createStock(compareProgram(folder), folder, judging, warmComparing)
  const pictures = createStock(pictureProgram, folder, limits, 0)
  const waits = { maxWaiting, maxWaitMs, busy: () => new PdfRoomsBusy() }
  return {
    folder,
    reading: workOf(documents, waits, { small, bulk, maxWaiting }),
    drawing: workOf(renders, waits, DRAWING),
    viewing: workOf(views, waits, VIEWING),
    validating: workOf(validates, waits, JUDGING),
    comparing: workOf(compares, waits, COMPARING),
    looking: { stock: pictures, lane: createLane({ ...waits, ...PICTURES }) },
    close: async () => {
      await Promise.all(
        [documents, renders, views, validates, compares, pictures].map((stock) => stock.close()),
      )
    },
  }
}

type Waits = Omit<LaneLimits, "slots">
type Places = {
  readonly small: number
  readonly bulk: number
  readonly maxWaiting: number
  /** Nobody has all of it. */
  readonly isShared?: boolean
}

function workOf(stock: Stock, waits: Waits, { small, bulk, maxWaiting, isShared = false }: Places): Work {
  const laneOf = (slots: number) =>
    createLane({ ...waits, maxWaiting, slots, each: isShared ? slots - 1 : slots })
  return { stock, small: laneOf(small), bulk: laneOf(bulk) }
}
