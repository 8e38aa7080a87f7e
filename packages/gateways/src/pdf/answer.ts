import { PdfRefused, type PdfRefusedCode } from "@paraph/pades/refused"
import { readFrames, writeFrame } from "./frame.ts"

/** What a child says: first that it is ready, then one answer. */
export type Said =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "refused"; readonly code: PdfRefusedCode; readonly message: string }
  | { readonly type: "fault"; readonly message: string }

export type Done = { readonly value: unknown; readonly body?: Uint8Array }

const MAX_DOCUMENT_BYTES = 1_000_000_000

/** The whole life of a child: one document, one answer, the end. */
export function answerOnce<Asked>(work: (asked: Asked, bytes: Uint8Array) => Done | Promise<Done>): void {
  readFrames(process.stdin, MAX_DOCUMENT_BYTES, async ({ header, body }) => {
    try {
      const done = await work(header as Asked, body)
      say({ type: "done", value: done.value }, done.body, true)
    } catch (error) {
      say(asSaid(error), undefined, true)
    }
  })
  say({ type: "ready" })
}

function say(said: Said, body: Uint8Array = new Uint8Array(), last = false): void {
  writeFrame(process.stdout, said, body, () => {
    if (last) process.exit()
  })
}

function asSaid(error: unknown): Said {
  if (error instanceof PdfRefused) return { type: "refused", code: error.code, message: error.message }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : "unknown"
  // The document's fault, not ours: nesting deeper than the stack, more than an array holds, a trap in the renderer.
  if (error instanceof Error && ["RangeError", "RuntimeError"].includes(error.name))
    return { type: "refused", code: "too-complex", message: "The PDF asks for more than is allowed." }
  return { type: "fault", message }
}
