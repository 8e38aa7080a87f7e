// What a client was told, on the disk before the next call is made: the judge of what the service keeps.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs"

/** One story of a request, as its integrator and its signers lived it. */
export type Story = {
  readonly tag: string
  readonly business: number
  readonly signers: readonly string[]
  /** Of the PDF that was sent. */
  readonly sha256: string
  readonly key: string
  /** What was asked for; unknown while no answer came. */
  id: string | null
  documentId: string | null
  /** The last deed that was acknowledged. */
  ending: "open" | "signed" | "declined" | "withdrawn" | "deleted"
  /** The deed that was begun last, and whose outcome nobody knows. */
  unsure: string | null
  /** SHA-256 of every document that was once given as finished. */
  finished: string | null
}

export type Call = {
  readonly what: string
  readonly ms: number
  readonly tries: number
  readonly done: boolean
}

export type Journal = {
  readonly stories: Story[]
  readonly calls: Call[]
  /** Of any answer, in whose hands it was, what it must not hold. */
  readonly wrong: string[]
  readonly write: (line: object) => void
  readonly close: () => void
}

export function openJournal(file: string): Journal {
  const handle = openSync(file, "a", 0o600)
  return {
    stories: [],
    calls: [],
    wrong: [],
    write: (line) => {
      writeSync(handle, `${JSON.stringify(line)}\n`)
      fsyncSync(handle)
    },
    close: () => closeSync(handle),
  }
}
