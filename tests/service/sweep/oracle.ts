import type { Answer } from "../api.ts"
import type { Actor } from "./actors.ts"
import type { SweepCall } from "./calls.ts"
import type { Canaries } from "./canaries.ts"
import { WEB_RULES } from "./web-routes.ts"

/** Why an answer is a leak; empty where it is none. */
export function leaksIn(
  actor: Actor,
  call: SweepCall,
  { status, headers, bytes }: Pick<Answer, "status" | "headers" | "bytes">,
  canaries: Canaries,
): readonly string[] {
  const leaks: string[] = []
  if (status >= 200 && status < 300 && !mayBeAnswered(actor, call)) leaks.push(`status ${status}`)
  const cookies = headers.getSetCookie().filter((set) => OPENING.test(set))
  if (cookies.length > 0 && !mayBeAnswered(actor, call)) leaks.push("a session cookie")
  const seen = `${[...headers].flat().join("\n")}\n${bytes.toString("latin1")}`
  const found = canaries.in(seen, `${call.path} ${sentBy(call)}`)
  for (const { text, kind, mode } of found)
    if (!actor.mayKnow(kind, mode)) leaks.push(`canary of ${mode} ${kind}: ${text}`)
  return leaks.map((leak) => `${actor.name}: ${call.what} (${call.path}): ${leak}`)
}

/** A cookie with a value that opens a signer's or an account's session. */
const OPENING = /^(__Host-)?paraph-(signer|signer-framed|account)=[^;]/

const sentBy = ({ body }: SweepCall): string =>
  body instanceof Uint8Array || body === undefined
    ? ""
    : typeof body === "string"
      ? body
      : JSON.stringify(body)

function mayBeAnswered(actor: Actor, { operation, route }: SweepCall): boolean {
  if (operation !== null) return actor.mayCall(operation)
  const rule = WEB_RULES[route ?? ""]
  return rule !== undefined && actor.mayUse(rule)
}
