import type { Readable } from "node:stream"
import type { Body } from "./ways.ts"

/** What a login takes at most, in any of its forms; a passkey's answer is the longest. */
const MOST = 65_536

/** The whole of a small body; null where it is too large. */
export async function readSmall(stream: Readable): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += (piece as Buffer).length
    if (size > MOST) return null
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}

/** The members that are text; none where it cannot be read, which the cell will say. */
export function membersOf(body: Buffer, contentType: string | undefined): Body {
  const text = body.toString("utf8")
  if (contentType?.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    const read: unknown = JSON.parse(text)
    const entries = Object.entries((read ?? {}) as Record<string, unknown>)
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    )
  } catch {
    return {}
  }
}
