import { randomBytes } from "node:crypto"

/** What a canary stands in: an object of one of the victim's three requests, or one of the business. */
export type CanaryKind =
  | `${"draft" | "open" | "ended"} ${"request" | "documents" | "attachment" | "second signer" | "callback" | "observer"}`
  | "loose document"
  | "group"
  | "template"
  | "webhook"
  | "validated document"
  | "member"
  | "api key"
  | "deleted request"
  | "deletion receipt"

export type Mode = "demo" | "production"

/** A unique string or id, and the object of the victim that it stands in. */
export type Canary = { readonly text: string; readonly kind: CanaryKind; readonly mode: Mode }

export type CanaryMaker = {
  readonly new: (kind: CanaryKind) => string
  /** The id of an object, as a canary. */
  readonly id: (kind: CanaryKind, id: string) => string
}

export type Canaries = {
  readonly of: (mode: Mode) => CanaryMaker
  /** The canaries in a text, without those that the caller has sent. */
  readonly in: (text: string, sent: string) => readonly Canary[]
}

const TEXT = /canary[0-9a-f]{16}/g
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

export function createCanaries(): Canaries {
  const known = new Map<string, Canary>()
  const add = (text: string, kind: CanaryKind, mode: Mode) => {
    known.set(text.toLowerCase(), { text, kind, mode })
    return text
  }
  return {
    of: (mode) => ({
      new: (kind) => add(`canary${randomBytes(8).toString("hex")}`, kind, mode),
      id: (kind, id) => add(id, kind, mode),
    }),
    in: (text, sent) => {
      const found = new Set([...(text.match(TEXT) ?? []), ...(text.match(UUID) ?? [])])
      const others = Array.from(found, (each) => each.toLowerCase()).filter(
        (each) => !sent.toLowerCase().includes(each),
      )
      return others.flatMap((each) => known.get(each) ?? [])
    },
  }
}
