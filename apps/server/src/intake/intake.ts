import { Worker } from "node:worker_threads"
import type { Bytes } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import type { BodyForm, Failure, FromThread, Taken, ToThread } from "./messages.ts"
import { takeBody } from "./take-body.ts"

export type Intake = {
  /** Takes a body into the folder of the spool, sealed. */
  readonly take: (options: IntakeOptions, body: Bytes) => Promise<Taken>
  readonly close: () => Promise<void>
}

export type IntakeOptions = {
  readonly form: BodyForm
  readonly key: Uint8Array
  readonly context: string
  readonly maxBytes: number
  readonly maxBase64Bytes?: number
  /** Whether somebody else looks at the pieces afterwards; if not, their memory goes over to the thread as it is. */
  readonly pieces: "ours" | "shared"
  /** Where the sender said how much will come. */
  readonly bodyBytes?: number | undefined
}

/** A body of this size is done with sooner than it would have crossed over to the thread. */
const SMALL_BYTES = 1_000_000

/** How many bytes of a body may lie between the two threads. */
const WINDOW_BYTES = 512 << 10

type Body = {
  readonly took: (bytes: number) => void
  readonly done: (taken: Taken) => void
  readonly failed: (error: Error) => void
}

/** A thread beside the event loop, for what is large: twenty of the largest bodies at once leave it free for the others. */
export function startIntake(folder: string, onFault: (error: Error) => void = () => undefined): Intake {
  const bodies = new Map<number, Body>()
  let ids = 0
  // Started by the first large body: with a heap of its own it takes as much memory as a tenth of the process.
  let worker: Worker | null = null

  function start(): Worker {
    const started = new Worker(new URL("./thread.ts", import.meta.url))
    started.on("message", (message: FromThread) => {
      const body = bodies.get(message.id)
      if (message.type === "took") body?.took(message.bytes)
      else if (message.type === "done") body?.done(message.taken)
      else body?.failed(asError(message.failure))
    })
    started.on("error", onFault)
    // A fault in it ends those bodies that it had, and no others: the next one starts a new thread.
    started.on("exit", () => {
      for (const body of bodies.values()) body.failed(new Error("The intake thread ended."))
      worker = null
    })
    started.unref()
    return started
  }

  const take: Intake["take"] = async ({ pieces, bodyBytes = Number.POSITIVE_INFINITY, ...options }, body) => {
    if (bodyBytes <= SMALL_BYTES) return takeBody({ folder, ...options }, body)
    const id = ++ids
    const { promise, resolve, reject } = Promise.withResolvers<Taken>()
    const window = createWindow(WINDOW_BYTES)
    let fault: Error | null = null
    worker ??= start()
    const to = worker
    const say = (message: ToThread, give: ArrayBuffer[] = []) => to.postMessage(message, give)
    bodies.set(id, {
      took: window.took,
      done: resolve,
      failed: (error) => {
        // What the thread says of a body that was cut off follows from why it was.
        reject(fault ?? error)
        window.close()
      },
    })
    const pump = async () => {
      for await (const piece of inLargerPieces(body)) {
        const { bytes, give } = givenAway(piece, pieces)
        const size = bytes.length
        say({ type: "piece", id, bytes }, give)
        if (!(await window.sent(size))) return
      }
      say({ type: "end", id, whole: true })
    }
    say({ type: "begin", id, folder, ...options })
    pump().catch((error: Error) => {
      fault = error
      say({ type: "end", id, whole: false })
    })
    try {
      // A refusal counts as soon as it is said, even if nothing more of the body ever comes.
      return await promise
    } finally {
      bodies.delete(id)
    }
  }
  return {
    take,
    close: async () => {
      await worker?.terminate()
    },
  }
}

const MESSAGE_BYTES = 64 << 10

/** A message between threads costs the same for one byte as for many: a body in tiny pieces is put together first. */
async function* inLargerPieces(body: Bytes) {
  let gathered = new Uint8Array(0)
  let filled = 0
  for await (const piece of body) {
    if (filled > 0 && filled + piece.length > MESSAGE_BYTES) {
      yield gathered.subarray(0, filled)
      filled = 0
    }
    if (piece.length > MESSAGE_BYTES / 4) {
      if (filled > 0) yield gathered.subarray(0, filled)
      filled = 0
      yield piece
      continue
    }
    if (filled === 0) gathered = new Uint8Array(MESSAGE_BYTES)
    gathered.set(piece, filled)
    filled += piece.length
  }
  if (filled > 0) yield gathered.subarray(0, filled)
}

/** A piece of something larger is copied, whoever it belongs to. */
function givenAway(piece: Uint8Array, whose: IntakeOptions["pieces"]) {
  const whole = whose === "ours" && piece.byteLength === piece.buffer.byteLength
  const bytes = whole ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece)
  return { bytes, give: [bytes.buffer] }
}

function createWindow(most: number) {
  let between = 0
  let closed = false
  let wake = () => {}
  return {
    took: (bytes: number) => {
      between -= bytes
      wake()
    },
    close: () => {
      closed = true
      wake()
    },
    /** Waits until there is room for more; false when nothing more is wanted. */
    sent: async (bytes: number): Promise<boolean> => {
      between += bytes
      while (between > most && !closed) await new Promise<void>((resolve) => (wake = resolve))
      return !closed
    },
  }
}

function asError({ refusal, message, code }: Failure): Error {
  return refusal === null ? Object.assign(new Error(message), { code }) : new Refusal(refusal, message)
}
