import { type Answer, call } from "../api.ts"
import type { Actor } from "./actors.ts"
import type { SweepCall } from "./calls.ts"

export type SweepAnswer = Pick<Answer, "status" | "headers" | "bytes">

/** Sends a call in the name of an actor, with the origin of our own pages: a wrong origin is not what must refuse it. */
export function send(
  url: string,
  { headers }: Pick<Actor, "headers">,
  { method, path, type, body }: SweepCall,
): Promise<SweepAnswer> {
  const sent = { origin: url, ...headers, ...(type !== null && { "content-type": type }) }
  if (path.endsWith("/events") && path.startsWith("/app/")) return firstEvent(`${url}${path}`, sent)
  return call(url, method, path, body, sent)
}

/** A stream of events does not end by itself: its first event has the whole view. */
async function firstEvent(url: string, headers: Readonly<Record<string, string>>): Promise<SweepAnswer> {
  const response = await fetch(url, { headers })
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    if (/^event: .*\ndata: .*\n\n/m.test(Buffer.concat(pieces).toString())) break
  }
  return { status: response.status, headers: response.headers, bytes: Buffer.concat(pieces) }
}
