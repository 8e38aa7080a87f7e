import type { KeyEncryptionFailure } from "../failed.ts"

/** Where the key process finds keys: a path that it reads itself, or, in a sandbox alone, the keys in hex. */
export type KeySource = { readonly file: string } | { readonly hex: readonly string[] }

/** The first line that the process is sent. Each source holds one key or several, separated by commas. */
export type Open = { readonly current: KeySource | null; readonly earlier: KeySource | null }

export type Request = {
  readonly id: number
  readonly operation: "wrap" | "unwrap"
  /** The position of the key among the ids of `ready`. */
  readonly key: number
  /** Base64. */
  readonly data: string
  readonly context: string
}

export type Reply =
  | { readonly type: "ready"; readonly ids: readonly string[] }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "done"; readonly id: number; readonly data: string }
  | {
      readonly type: "refused"
      readonly id: number
      readonly code: KeyEncryptionFailure
      readonly message: string
    }

/** Keys have 32 bytes and contexts name one business. A longer line is an error of the other side. */
export const MAX_LINE_BYTES = 8192
export const MAX_KEYS = 16

/** Calls back for each line. Throws where one is longer than allowed or is no JSON. */
export function createLineReader(onMessage: (message: unknown) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (piece) => {
    const read = Buffer.concat([rest, piece])
    let start = 0
    for (let end = read.indexOf(10, start); end !== -1; end = read.indexOf(10, start)) {
      if (end - start > MAX_LINE_BYTES) throw new Error(tooLong)
      onMessage(JSON.parse(read.toString("utf8", start, end)))
      start = end + 1
    }
    rest = read.subarray(start)
    if (rest.length > MAX_LINE_BYTES) throw new Error(tooLong)
  }
}

const tooLong = `A line of the key process's protocol is longer than ${MAX_LINE_BYTES} bytes.`

export const lineOf = (message: Open | Request | Reply): string => `${JSON.stringify(message)}\n`
