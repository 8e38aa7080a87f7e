// The thread that takes large bodies in: decodes, hashes, seals and writes them, apart from the event loop that serves
// everybody else. Its heap is small, so that the many buffers which such a body goes through are cheap to collect.
import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { Refusal } from "@paraph/core/refusal"
import type { Failure, FromThread, ToThread } from "./messages.ts"
import { createQueue, type Queue } from "./queue.ts"
import { takeBody } from "./take-body.ts"

const LESS_URGENT = 5
// On Linux a priority is of one thread: whoever asks for something small goes before those who send something large.
if (process.platform === "linux") setPriority(LESS_URGENT)

const bodies = new Map<number, Queue<Uint8Array>>()

parentPort?.on("message", (message: ToThread) => {
  const queue = bodies.get(message.id)
  if (message.type === "begin") begin(message)
  else if (message.type === "piece") queue?.push(message.bytes)
  else if (message.whole) queue?.end()
  else queue?.fail(new Refusal("constraint-violated", "The body was cut off."))
})

function begin(message: Extract<ToThread, { type: "begin" }>): void {
  const { id } = message
  const queue = createQueue<Uint8Array>((piece) => say({ type: "took", id, bytes: piece.length }))
  bodies.set(id, queue)
  takeBody(message, queue.items)
    .then(
      (taken) => say({ type: "done", id, taken }),
      (error: unknown) => say({ type: "failed", id, failure: asFailure(error) }),
    )
    .finally(() => bodies.delete(id))
}

const say = (message: FromThread): void => parentPort?.postMessage(message)

function asFailure(error: unknown): Failure {
  const { message, code } = error as NodeJS.ErrnoException
  return { refusal: error instanceof Refusal ? error.code : null, message, code }
}
