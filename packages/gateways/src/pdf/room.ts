import type { ChildProcess } from "node:child_process"
import { PdfRefused } from "@paraph/pades/refused"
import type { AskAnyone, Brought, Said } from "./answer.ts"
import { PdfRoomsBusy } from "./failed.ts"
import { type Frame, readFrames, writeFrame } from "./frame.ts"
import { processorMs, rssBytes } from "./process-use.ts"
import { createPrivateFolder } from "./sandbox/private-folder.ts"
import { spawnLimited } from "./spawn-limited.ts"
import { GIVING_WAY, lowerPriority } from "./urgency.ts"

export type RoomLimits = {
  readonly rssLimitBytes: number
  readonly wallMs: number
  /** Of the whole process, by the kernel. */
  readonly cpuSeconds: number
  /** A document that has taken so much of the processor takes it from nobody any more who wants it, too. */
  readonly givesWayAfterMs?: number
}

export type Program = {
  readonly file: string
  /** What that file is to begin. */
  readonly argument?: string
  /** Where the sealed files lie. The child may read none of them but those that are linked into its private folder. */
  readonly folder?: string
  /** What else the child may read, as Node's permission model writes it. */
  readonly readable: readonly string[]
  /** Native add-ons are outside the permission model, so only a child that needs one may load one. */
  readonly addons: boolean
  /** There is nothing to find and to link, and so nothing to compile ahead. */
  readonly inOneFile?: boolean
  /** Where what Node made of its sources lies, once that is there. */
  readonly code?: string
}

export type Room = {
  readonly process: ChildProcess
  /** The private folder, in which its document appears while it is asked. */
  readonly folder: string | null
  /** False once the child has ended, or was given its document. */
  readonly isFree: () => boolean
  /** It has answered, and can be asked once more: about the same document, or about another of the same business. */
  readonly isStaying: () => boolean
  /** What the child wants to know meanwhile, `outside` tells; by default nothing. */
  readonly ask: (header: object, asking?: Asking) => Promise<Frame>
  readonly kill: () => void
  /** CPU time since the process started, as it was measured last; when it has answered, until then. */
  readonly cpuMs: () => number
}

export type Asking = {
  readonly outside?: AskAnyone | undefined
  /** Of the processor, for this document; by default what the process may have. */
  readonly processorMs?: number | undefined
  /** Whether it waits for another question after a good answer; else it ends. */
  readonly stays?: boolean | undefined
}

const WATCH_EVERY_MS = 50
const START_MS = 30_000
/** A document of many signatures asks about each of them; one that asks for ever has an end too. */
const MAX_QUESTIONS = 2000

/** A child process for one document, or for some of one business (serving.ts): no environment, no network, no files but those named, and an end in any case. */
export function startRoom(program: Program, limits: RoomLimits): Room {
  if (program.folder === undefined) return { ...startProcess(program, limits, null), folder: null }
  const own = createPrivateFolder(program.folder)
  const room = startProcess(program, limits, own.path)
  room.process.once("error", own.remove)
  room.process.once("close", own.remove)
  const ask: Room["ask"] = async (header, asking) => {
    const given = own.give(header)
    if (given instanceof Error) {
      room.kill()
      throw given
    }
    try {
      return await room.ask(given, asking)
    } finally {
      own.clear()
    }
  }
  return { ...room, folder: own.path, ask }
}

function startProcess(program: Program, limits: RoomLimits, documents: string | null): Omit<Room, "folder"> {
  const child = spawnLimited(program, limits, documents)
  let state: "free" | "asked" | "staying" | "ended" = "free"
  let ready = false
  let stays = false
  let give: (() => void) | null = null
  let bring: ((said: Said & { type: "asks" }) => void) | null = null
  let settle: ((outcome: Frame | Error) => void) | null = null
  let took: Taken = { rss: 0, processor: 0 }
  // The child's own words come before its exit; what remains silent until then was ended from outside.
  const end = (outcome: Frame | Error) => {
    state = "ended"
    settle?.(outcome)
    child.kill("SIGKILL")
  }
  const answered = (frame: Frame, { type }: Said) => {
    if (!stays || type !== "done") return end(frame)
    state = "staying"
    settle?.(frame)
  }
  child.on("error", (cause) => end(new Error("A PDF process could not be started.", { cause })))
  // Known sooner than that its last words have come: nobody is to be given a process that is gone.
  child.on("exit", () => {
    if (state === "free" || state === "staying") state = "ended"
  })
  child.on("close", (_, signal) => end(whoEnded(signal, ready, took, limits)))
  child.stdin.on("error", () => undefined)
  child.stdout.on("error", () => end(tooComplex("The PDF broke its process.")))
  readFrames(child.stdout, (frame) => {
    const said = frame.header as Said
    if (said.type === "asks") return bring?.(said)
    if (said.type !== "ready") return answered(frame, said)
    ready = true
    give?.()
  })

  const ask = (header: object, asking: Asking = {}) =>
    new Promise<Frame>((resolve, reject) => {
      if (state !== "free" && state !== "staying") return reject(new Error("The PDF process is gone."))
      state = "asked"
      stays = asking.stays === true
      const starting = setTimeout(() => end(new PdfRoomsBusy()), START_MS)
      const clock = workingTime(child, limits.wallMs, end)
      let takes = () => 0
      const watch = setInterval(() => {
        took = takenBy(child, took)
        if (took.rss > limits.rssLimitBytes) end(tooComplex("The PDF took too much memory."))
        else if (takes() > mostOf(asking)) end(tooComplex("The PDF took too long."))
      }, WATCH_EVERY_MS)
      settle = (outcome) => {
        took = takenBy(child, took)
        for (const timer of [starting, watch]) clearTimeout(timer)
        clock.stop()
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      // Its time begins when it is given away: that a process is slow to start is not the document's fault.
      give = () => {
        clearTimeout(starting)
        clock.start()
        takes = watchProcessor(child, limits.givesWayAfterMs)
        writeFrame(child.stdin, { ...header, stays })
      }
      bring = bringing(child, clock, asking.outside)
      if (ready) give()
    })
  return {
    process: child,
    isFree: () => state === "free",
    isStaying: () => state === "staying",
    ask,
    kill: () => end(new Error("The PDF process was stopped.")),
    cpuMs: () => took.processor,
  }
}

const mostOf = ({ processorMs = Number.POSITIVE_INFINITY }: Asking): number => processorMs

/** By the process since it began, which is what the kernel holds against its limits, as it was seen last. */
type Taken = { readonly rss: number; readonly processor: number }

const takenBy = ({ pid }: ChildProcess, last: Taken): Taken => ({
  rss: rssBytes(pid) || last.rss,
  processor: processorMs(pid) || last.processor,
})

/** Nobody but the kernel and the operator kills outright. The kernel does so for much; what took little was ended by somebody else. */
const isLittle = ({ rss, processor }: Taken, { rssLimitBytes, cpuSeconds }: RoomLimits): boolean =>
  rss < rssLimitBytes / 2 && processor < (cpuSeconds * 1000) / 2

function whoEnded(signal: NodeJS.Signals | null, isReady: boolean, took: Taken, limits: RoomLimits): Error {
  if (signal === "SIGKILL" && isLittle(took, limits)) return new PdfRoomsBusy()
  return isReady ? tooComplex("The PDF ended its process.") : new Error("A PDF process did not start.")
}

/** What is taken from now on. */
function watchProcessor(child: ChildProcess, givesWayAfterMs?: number): () => number {
  const before = processorMs(child.pid)
  let gaveWay = false
  return () => {
    const taken = processorMs(child.pid) - before
    if (!gaveWay && taken > (givesWayAfterMs ?? Number.POSITIVE_INFINITY)) {
      gaveWay = true
      lowerPriority(child.pid, GIVING_WAY)
    }
    return taken
  }
}

type WorkingTime = { readonly start: () => void; readonly stop: () => void }

/** What a child may take, without the time for which it waits for an answer from outside. */
function workingTime(child: ChildProcess, wallMs: number, end: (outcome: Error) => void): WorkingTime {
  let left = wallMs
  let since = 0
  let late: NodeJS.Timeout | undefined
  let usedBefore = 0
  return {
    start: () => {
      if (late !== undefined) return
      since = Date.now()
      usedBefore ||= processorMs(child.pid)
      late = setTimeout(() => end(tooLate(processorMs(child.pid) - usedBefore, wallMs)), left)
    },
    stop: () => {
      if (late === undefined) return
      clearTimeout(late)
      late = undefined
      left -= Date.now() - since
    },
  }
}

/** A question that fails is told by its own words; they go into no answer of ours, but into the cause of one. */
function bringing(child: ChildProcess, clock: WorkingTime, outside: AskAnyone = askNobody) {
  let asked = 0
  let open = 0
  return ({ id, question }: { readonly id: number; readonly question: unknown }) => {
    asked += 1
    open += 1
    clock.stop()
    const answer = asked > MAX_QUESTIONS ? askNobody(question) : outside(question as never)
    const told = (brought: Brought, body?: Uint8Array) => {
      open -= 1
      if (open === 0) clock.start()
      if (child.stdin !== null) writeFrame(child.stdin, brought, body)
    }
    answer.then(
      (body) => told({ type: "brought", id }, body),
      (error: unknown) =>
        told({ type: "brought", id, failed: error instanceof Error ? error.message : "No answer." }),
    )
  }
}

const askNobody = (_: unknown): Promise<Uint8Array> => Promise.reject(new Error("Nobody is asked."))

/** A document does nothing but compute. One that could not has met a busy machine, and is not to blame. */
function tooLate(processorMs: number, wallMs: number): Error {
  return processorMs < wallMs / 10 ? new PdfRoomsBusy() : tooComplex("The PDF took too long.")
}

function tooComplex(message: string): PdfRefused {
  return new PdfRefused("too-complex", message)
}
