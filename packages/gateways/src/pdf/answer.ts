// The child's side: it is told of one sealed file, and of the one key that opens it.

import { PdfRefused, type PdfRefusedCode } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { openSealedFile, type SealedFile } from "@paraph/seal/file"
import { PdfAskedWrongly } from "./failed.ts"
import { readFrames, writeFrame } from "./frame.ts"

/** What a child hears, once. */
export type Told<Asked> = { readonly file: SealedFile; readonly asked: Asked }

/** What a child says: first that it is ready, then one answer. */
export type Said =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "refused"; readonly code: PdfRefusedCode; readonly message: string }
  | { readonly type: "asked-wrongly"; readonly message: string }
  | { readonly type: "fault"; readonly message: string }

export type Done = { readonly value: unknown; readonly body?: Uint8Array }

/** The whole life of a child: one document, one answer, the end. */
export function answerOnce<Asked>(work: (asked: Asked, document: Source) => Done | Promise<Done>): void {
  answerTold<Told<Asked>>(({ file, asked }) => work(asked, openSealedFile(file)))
}

/** The same for a child that gets all that it needs in what it is told. */
export function answerTold<Header>(work: (told: Header) => Done | Promise<Done>): void {
  readFrames(process.stdin, async ({ header }) => {
    try {
      const { value, body } = await work(header as Header)
      say({ type: "done", value }, body, true)
    } catch (error) {
      say(asSaid(error), undefined, true)
    }
  })
  say({ type: "ready" })
}

function say(said: Said, body?: Uint8Array, last = false): void {
  writeFrame(process.stdout, said, body, () => {
    if (last) process.exit()
  })
}

function asSaid(error: unknown): Said {
  if (error instanceof PdfRefused) return { type: "refused", code: error.code, message: error.message }
  if (error instanceof PdfAskedWrongly) return { type: "asked-wrongly", message: error.message }
  // The document's fault, not ours: nesting deeper than the stack, more than an array holds, a trap in the renderer.
  if (error instanceof Error && ["RangeError", "RuntimeError"].includes(error.name))
    return { type: "refused", code: "too-complex", message: "The PDF asks for more than is allowed." }
  return { type: "fault", message: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" }
}
