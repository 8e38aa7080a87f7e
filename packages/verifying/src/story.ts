// One story: its events against the head of the log, the head against the key, and the time-stamp over the head.

import { createHash } from "node:crypto"
import { type CheckedStory, checkStory, keyOfStory } from "@paraph/evidence/check-story"
import type { Story } from "@paraph/evidence/story"
import { type NoteKey, writeVerifierKey } from "@paraph/tlog/note-key"
import type { Beside } from "@paraph/validation/beside"
import { judgeTimestamp } from "@paraph/validation/judge-timestamp"
import type { TimestampReport } from "@paraph/validation/report"
import type { TrustAnchor } from "@paraph/validation/trust"
import { type Standing, standingOf, type VerifiedStory, worst } from "./verified.ts"

type Judging = {
  readonly logKeys: readonly NoteKey[]
  readonly anchors: readonly TrustAnchor[]
  readonly now: Date
  readonly beside: readonly Beside[]
}

export function verifyStory(name: string, story: Story, judging: Judging): VerifiedStory {
  const own = keyOfStory(story)
  const line = writeVerifierKey(own)
  const trusted = judging.logKeys.find((one) => writeVerifierKey(one) === line)
  const fingerprint = createHash("sha256").update(own.publicKey).digest("hex")
  const key = { line, name: own.name, fingerprint, isTrusted: trusted !== undefined }
  const of = { name, request: story.request, key, told: story.events.length }
  // Keys were given, and the story is not of one of their logs.
  if (trusted === undefined && judging.logKeys.length > 0)
    return { ...of, standing: "fails", faults: [{ fault: "key" }], events: [], head: null, stamp: null }
  const { faults, events, head }: CheckedStory = checkStory(story, own)
  const stamp = head === undefined ? null : stampOf(story, judging)
  return {
    ...of,
    standing: standing(faults.length === 0, key.isTrusted, stamp),
    faults,
    events,
    head: head === undefined ? null : { origin: head.origin, size: head.size },
    stamp,
  }
}

function standing(isWhole: boolean, isTrusted: boolean, stamp: TimestampReport | null): Standing {
  if (!isWhole) return "fails"
  const ofStamp = stamp === null ? "holds" : standingOf(stamp)
  return worst([isTrusted ? "holds" : "unsure", ofStamp])
}

const MAX_STAMP_BYTES = 1_000_000

function stampOf({ log }: Story, { anchors, now, beside }: Judging): TimestampReport | null {
  if (log.stamp === null) return null
  const der = log.stamp.length > MAX_STAMP_BYTES ? new Uint8Array() : Buffer.from(log.stamp, "base64")
  return judgeTimestamp(der, Buffer.from(log.checkpoint, "utf8"), { anchors, now, beside })
}
