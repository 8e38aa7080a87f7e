// Whether a story holds: every event is in the log, as it is told, and none is missing in between.

import { openCheckpoint } from "@paraph/tlog/checkpoint"
import { HASH_BYTES } from "@paraph/tlog/hash"
import { type NoteKey, readVerifierKey } from "@paraph/tlog/note-key"
import { TlogRefused } from "@paraph/tlog/refused"
import { type Head, verifyInclusion } from "@paraph/tlog/verify-proof"
import { type EvidenceBody, readBody } from "./body.ts"
import { leafOf, SALT_BYTES } from "./leaf.ts"
import { EvidenceRefused } from "./refused.ts"
import type { Story, StoryEvent } from "./story.ts"

export type StoryFault =
  /** The checkpoint is not one of the log that is trusted. */
  | "checkpoint"
  /** An event is not written as evidence is. */
  | "body"
  /** It is of another request. */
  | "request"
  /** One is missing, doubled, or in another order. */
  | "sequence"
  /** It was logged before one that happened earlier in the story. */
  | "order"
  /** It is not in the log, or was another. */
  | "inclusion"
  /** The first event says that it belongs to the log of the other kind. */
  | "log"

export type CheckedStory = {
  /** None: the story holds. */
  readonly faults: readonly { readonly fault: StoryFault; readonly seq?: number }[]
  /** Those that are in the log as told, in their order. */
  readonly events: readonly EvidenceBody[]
  /** Of the log, where its head could be believed. */
  readonly head?: Head & { readonly origin: string }
}

/** `log` is the key that the reader trusts: that a story names its own proves nothing. */
export function checkStory(story: Story, log: NoteKey): CheckedStory {
  const head = openHead(story, log)
  if (head === undefined) return { faults: [{ fault: "checkpoint" }], events: [] }
  const faults: { fault: StoryFault; seq?: number }[] = []
  const events: EvidenceBody[] = []
  let lastIndex = -1
  for (const [i, event] of story.events.entries()) {
    const seq = i + 1
    const body = bodyOf(event)
    if (body === undefined) {
      faults.push({ fault: "body", seq })
      continue
    }
    if (body.request !== story.request) faults.push({ fault: "request", seq })
    if (seq === 1 && isOfOther(body, head.origin)) faults.push({ fault: "log", seq })
    if (body.seq !== seq) faults.push({ fault: "sequence", seq })
    if (event.index <= lastIndex) faults.push({ fault: "order", seq })
    lastIndex = event.index
    if (isIncluded(event, head)) events.push(body)
    else faults.push({ fault: "inclusion", seq })
  }
  const { origin, size, root } = head
  return { faults, events, head: { origin, size, root } }
}

/** `demo` or `production`, as the name of the log ends. */
const isOfOther = ({ data }: EvidenceBody, origin: string): boolean =>
  typeof data.log === "string" && !origin.endsWith(`/log/${data.log}`)

/** The key that a story names, for whoever compares it with the one that was published. */
export function keyOfStory({ log }: Story): NoteKey {
  return readVerifierKey(log.key)
}

function openHead({ log: { checkpoint } }: Story, log: NoteKey) {
  try {
    return openCheckpoint(Buffer.from(checkpoint, "utf8"), log)
  } catch (error) {
    if (error instanceof TlogRefused) return undefined
    throw error
  }
}

function bodyOf({ body }: StoryEvent): EvidenceBody | undefined {
  try {
    return readBody(Buffer.from(body, "utf8"))
  } catch (error) {
    if (error instanceof EvidenceRefused) return undefined
    throw error
  }
}

function isIncluded({ index, salt, body, path }: StoryEvent, head: Head): boolean {
  const [saltBytes, ...hashes] = [salt, ...path].map((one) => Buffer.from(one, "base64"))
  if (saltBytes?.length !== SALT_BYTES || hashes.some((hash) => hash.length !== HASH_BYTES)) return false
  const hash = leafOf(saltBytes, Buffer.from(body, "utf8"))
  return verifyInclusion({ hash, index }, head, hashes)
}
