// What was found of the files that were given: plain data, which the command and the page are written from.

import type { EvidenceBody } from "@paraph/evidence/body"
import type { StoryFault } from "@paraph/evidence/check-story"
import type { DocumentReport, TimestampReport } from "@paraph/validation/report"

/** It holds, it does not, or it cannot be said. */
export type Standing = "holds" | "fails" | "unsure"

export type Verified = {
  /** The time for which it is said, ISO 8601. */
  readonly at: string
  /** The worst of what follows. Nothing to check cannot be said to hold. */
  readonly standing: Standing
  /** How many certificates the reader trusts. */
  readonly trusted: number
  /** Pages are drawn and compared; where they are not, a page that may look different leaves a document unsure. */
  readonly comparesPages: boolean
  readonly documents: readonly VerifiedDocument[]
  readonly stories: readonly VerifiedStory[]
  /** What a business took along. */
  readonly archives: readonly VerifiedArchive[]
  /** Files that are neither, and stories that are not written as one. */
  readonly others: readonly OtherFile[]
}

export type VerifiedDocument = {
  readonly name: string
  readonly sha256: string
  readonly size: number
  readonly standing: Standing
  /** A PDF that cannot be read has none, but a reason. */
  readonly report: DocumentReport | null
  readonly refused?: string
  /** It brings the story along; then the story cannot name it, and who sealed it as the report of that request stands in for that. */
  readonly carriesStory: boolean
  readonly reportSealedBy?: string
  /** It was signed once more behind what a story tells of it. */
  readonly isSignedLater: boolean
  /** The events that name this file, or one that it was before something was appended; null where no story was given. */
  readonly mentions: readonly Mention[] | null
}

export type Mention = {
  /** The file of the story. */
  readonly story: string
  readonly seq: number
  readonly type: string
  readonly at: string
  /** This file as it is, or as it was earlier. */
  readonly of: "file" | "earlier"
  /** Where in this file that ended. */
  readonly end: number
}

export type VerifiedStory = {
  readonly name: string
  readonly standing: Standing
  readonly request: string
  readonly key: LogKey
  /** None: every event is in the log as it is told, and none is missing before the last. */
  readonly faults: readonly { readonly fault: StoryFault | "key" | "place"; readonly seq?: number }[]
  readonly events: readonly EvidenceBody[]
  /** How many the file tells, those that are not in the log among them. */
  readonly told: number
  /** Of the log, where its head can be believed. */
  readonly head: { readonly origin: string; readonly size: number } | null
  /** Over the head; null where it has none. */
  readonly stamp: TimestampReport | null
}

export type LogKey = {
  /** As other tools write it (C2SP signed-note). */
  readonly line: string
  readonly name: string
  /** SHA-256 of the 32 octets of the key, hexadecimal: what can be compared by telephone. */
  readonly fingerprint: string
  /** The reader brought it along. What a story says of its own key proves nothing. */
  readonly isTrusted: boolean
}

export type VerifiedArchive = {
  readonly name: string
  readonly standing: Standing
  /** As its list has it; null where it has none. */
  readonly business: string | null
  readonly exportedAt: string | null
  readonly isLast: boolean
  /** Listed, signed among them, and stories, those of receipts among them. */
  readonly files: number
  readonly signed: number
  readonly stories: number
  /** Of the stories, those whose time-stamp is newer than all that is in the archive about its authority. */
  readonly withoutNews: number
  readonly isDemo: boolean
  readonly faults: readonly ArchiveFault[]
  /** Whatever does not hold, or cannot be said to. */
  readonly left: {
    readonly documents: readonly VerifiedDocument[]
    readonly stories: readonly VerifiedStory[]
    readonly others: readonly OtherFile[]
  }
}

export type ArchiveFault = {
  readonly fault: "list" | "missing" | "unlisted" | "changed" | "too-large"
  readonly path: string
}

export type OtherFile = {
  readonly name: string
  readonly problem: "unknown" | "story" | "too-large" | "archive" | "missing"
}

export function worst(standings: readonly Standing[]): Standing {
  if (standings.includes("fails")) return "fails"
  return standings.length === 0 || standings.includes("unsure") ? "unsure" : "holds"
}

export function standingOf({ indication }: Pick<DocumentReport, "indication">): Standing {
  if (indication === "TOTAL-PASSED") return "holds"
  return indication === "TOTAL-FAILED" ? "fails" : "unsure"
}
