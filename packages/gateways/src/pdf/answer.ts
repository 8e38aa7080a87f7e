// The child's side: it is told of one sealed file, and of the one key that opens it.

import { PdfRefused, type PdfRefusedCode } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"
import { openSealedFile, type SealedFile } from "@paraph/seal/file"
import { PdfAskedWrongly, PdfUnmet, type Want } from "./failed.ts"
import { readFrames, writeFrame } from "./frame.ts"

/** What a child hears; once, unless it is to stay. */
export type Told<Asked> = { readonly file: SealedFile; readonly asked: Asked }
export type Staying = { readonly stays?: boolean }

/** What a child says: first that it is ready, then what it wants to know of the world outside, then one answer. */
export type Said =
  | { readonly type: "ready" }
  | { readonly type: "asks"; readonly id: number; readonly question: Question | JudgeQuestion }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "refused"; readonly code: PdfRefusedCode; readonly message: string }
  | { readonly type: "asked-wrongly"; readonly message: string }
  | { readonly type: "unmet"; readonly want: Want; readonly message: string }
  | { readonly type: "fault"; readonly message: string }

/** A child has no network. Whom it needs to hear, it asks through its parent, which looks at the address. */
export type Question =
  | { readonly of: "timestamp"; readonly body: Uint8Array }
  | { readonly of: "ocsp"; readonly url: string; readonly body: Uint8Array }
  | { readonly of: "crl" | "certificate"; readonly url: string }

/** Who judges asks for more: the services of trusted lists of these names (`servicesNamed`), as JSON. */
export type JudgeQuestion =
  | Exclude<Question, { of: "timestamp" }>
  | { readonly of: "services"; readonly names: readonly string[] }

/** What the parent brings back; a child that was told no hears no more than why. */
export type Brought = { readonly type: "brought"; readonly id: number; readonly failed?: string }

export type AskOutside<Asked = Question> = (question: Asked) => Promise<Uint8Array>

/** What is asked is between a child and whoever gave it the document; the room between them passes it on. */
export type AskAnyone = (question: never) => Promise<Uint8Array>

export type Done = { readonly value: unknown; readonly body?: Uint8Array }

/** The whole life of a child: one document, one answer or, where it stays, some, also of others of the same business; the end. */
export function answerOnce<Asked>(
  work: (
    asked: Asked,
    document: Source,
    outside: AskOutside<Question | JudgeQuestion>,
  ) => Done | Promise<Done>,
): void {
  answerTold<Told<Asked>>(async ({ file, asked }, outside) => {
    const document = openSealedFile(file)
    try {
      return await work(asked, document, outside)
    } finally {
      document.close()
    }
  })
}

/** The same for a child that gets all that it needs in what it is told. */
export function answerTold<Header extends object>(
  work: (told: Header, outside: AskOutside<Question | JudgeQuestion>) => Done | Promise<Done>,
): void {
  const waiting = new Map<number, (brought: Brought, body: Uint8Array) => void>()
  const outside = (question: Question | JudgeQuestion): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const id = waiting.size
      waiting.set(id, ({ failed }, body) =>
        failed === undefined ? resolve(body) : reject(new Error(failed)),
      )
      say({ type: "asks", id, question })
    })
  readFrames(process.stdin, async ({ header, body: brought }) => {
    if (isBrought(header)) return waiting.get(header.id)?.(header, brought)
    try {
      const { value, body } = await work(header as Header, outside)
      say({ type: "done", value }, body, (header as Staying).stays !== true)
    } catch (error) {
      say(asSaid(error), undefined, true)
    }
  })
  freezeWhatAllShare()
  say({ type: "ready" })
}

/** What every object has from its kind. A document that got something in there would be met by those after it. */
function freezeWhatAllShare(): void {
  for (const kind of [Object, Function, Array, Map, Set, String, Number, Uint8Array, Buffer, Promise, RegExp])
    Object.freeze(kind.prototype)
}

const isBrought = (header: unknown): header is Brought =>
  typeof header === "object" && header !== null && "type" in header && header.type === "brought"

function say(said: Said, body?: Uint8Array, last = false): void {
  writeFrame(process.stdout, said, body, () => {
    if (last) process.exit()
  })
}

function asSaid(error: unknown): Said {
  if (error instanceof PdfRefused) return { type: "refused", code: error.code, message: error.message }
  if (error instanceof PdfAskedWrongly) return { type: "asked-wrongly", message: error.message }
  if (error instanceof PdfUnmet) return { type: "unmet", want: error.want, message: error.message }
  // The document's fault, not ours: nesting deeper than the stack, more than an array holds, a trap in the renderer.
  if (error instanceof Error && ["RangeError", "RuntimeError"].includes(error.name))
    return { type: "refused", code: "too-complex", message: "The PDF asks for more than is allowed." }
  return { type: "fault", message: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" }
}
