// The kinds of work on PDFs. Each has processes and fair queues of its own, so none takes a slot from another.

import { resolve } from "node:path"
import { ownerOf, type Tenant, type WorkOwner } from "@paraph/core/fair-share/owner"
import { createShares } from "@paraph/core/fair-share/shares"
import { createQueue, type FairQueue, type FairQueueLimits } from "../fair-queue.ts"
import { PdfRoomsBusy } from "./failed.ts"
import {
  compareProgram,
  documentProgram,
  pictureProgram,
  renderProgram,
  validateProgram,
  viewCheckProgram,
} from "./programs.ts"
import type { Room, RoomLimits } from "./room.ts"
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
  /** Such an owner has one process of a kind at a time, and only while no other owner waits. */
  readonly isOverBudget?: (owner: WorkOwner) => boolean
  /** CPU time of each answer, by the kind of work. */
  readonly onCpu?: (owner: Tenant, work: WorkName, cpuMs: number) => void
}

export type WorkName = "reading" | "drawing" | "viewing" | "validating" | "comparing" | "pictures"

/** Drawing never takes a place of what uploads and signatures need, however many pages are asked for. */
const DRAWING = { small: 2, bulk: 1, maxWaiting: 40 }
/** Rendering uploads takes no place of reading them. */
const VIEWING = { small: 3, bulk: 2, maxWaiting: 100 }
/** Nor does judging, or comparing revisions. */
const JUDGING = { small: 3, bulk: 2, maxWaiting: 40 }
const COMPARING = { small: 2, bulk: 2, maxWaiting: 40 }
/** A hostile document costs who judges it five seconds, and 512 MB with what it takes between two looks. */
const JUDGING_LIMITS = { cpuSeconds: 5, rssLimitBytes: 450_000_000 }
const VIEWING_CPU_SECONDS = 34
/** Twelve times that may pass on a machine that is busy with other documents. */
const VIEWING_WALL_MS = 400_000
/** An honest one has been judged by then; the others give way to it. */
const GIVES_WAY_AFTER_MS = 1_000
/** Nor does a picture, which few people send, and never two of them. */
const PICTURES = { small: 2, bulk: 1, maxWaiting: 20 }

/** Processes of one kind of work and the two queues before them. One owner never has all slots of a queue (ADR 0092). */
export type Work = {
  readonly name: WorkName
  /** Has a process that has seen no document do the work. */
  readonly take: <T>(owner: Tenant, work: (room: Room) => Promise<T>) => Promise<T>
  readonly small: FairQueue
  readonly bulk: FairQueue
}

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
  const { isOverBudget = () => false } = settings
  const waits = { maxWaiting, maxWaitMs, busy: () => new PdfRoomsBusy(), isOverBudget }
  return {
    folder,
    cpu: cpuCharge(settings),
    reading: workOf("reading", documents, waits, { small, bulk, maxWaiting }),
    drawing: workOf("drawing", renders, waits, DRAWING),
    viewing: workOf("viewing", views, waits, VIEWING),
    validating: workOf("validating", validates, waits, JUDGING),
    comparing: workOf("comparing", compares, waits, COMPARING),
    looking: workOf("pictures", pictures, waits, PICTURES),
    close: async () => {
      await Promise.all(
        [documents, renders, views, validates, compares, pictures].map((stock) => stock.close()),
      )
    },
  }
}

/** Charges CPU time of a process to the owner whose document it read, and tells whether that one has spent its budget. */
export type CpuCharge = {
  readonly charge: (owner: Tenant, work: WorkName, cpuMs: number) => void
  readonly isOver: (owner: Tenant) => boolean
}

const cpuCharge = ({ isOverBudget, onCpu }: PdfRoomsSettings): CpuCharge => ({
  charge: (owner, work, cpuMs) => onCpu?.(owner, work, cpuMs),
  isOver: (owner) => isOverBudget?.(ownerOf(owner)) ?? false,
})

type Waits = Omit<FairQueueLimits, "slots">
type Slots = { readonly small: number; readonly bulk: number; readonly maxWaiting: number }

function workOf(name: WorkName, stock: Stock, waits: Waits, { small, bulk, maxWaiting }: Slots): Work {
  const queueOf = (slots: number) => createQueue({ ...waits, maxWaiting, slots })
  return { name, take: taking(stock), small: queueOf(small), bulk: queueOf(bulk) }
}

/** The last process that was started ahead is for an owner who has none. */
function taking(stock: Stock): Work["take"] {
  const running = createShares({ slots: Infinity, perOwner: 1, demo: Infinity })
  return async (tenant, work) => {
    const owner = ownerOf(tenant)
    const leavesLast = running.exhausted(owner) !== null
    const release = running.take(owner)
    try {
      return await work(stock.take({ isDemo: owner.isDemo, leavesLast }))
    } finally {
      release()
    }
  }
}
