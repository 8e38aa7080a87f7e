// What is said of the files, in words for people who have never seen us. Values stand in braces.

import type { StoryFault } from "@paraph/evidence/check-story"
import type { ArchiveFault, OtherFile, Standing } from "../verified.ts"

export type VerifyWords = {
  /** Of everything together. */
  readonly headlines: Readonly<Record<Standing | "changed" | "nothing", string>>
  /** Of one part, as a short sign. */
  readonly standings: Readonly<Record<Standing, string>>
  readonly checkedFor: string
  readonly noTrust: string
  /** Where pages are not drawn, and one had to be compared. */
  readonly notDrawn: string
  readonly document: {
    readonly refused: string
    /** Names of files in the story. */
    readonly namesFile: string
    readonly namesEarlier: string
    readonly unnamed: string
    readonly carries: string
    /** Whose word it is that a report says what its story says. */
    readonly sealedReport: string
    readonly signedLater: string
  }
  readonly story: {
    readonly title: string
    readonly request: string
    readonly log: string
    readonly logSize: string
    readonly whole: string
    readonly trustedKey: string
    readonly ownKey: string
    readonly key: string
    readonly keyFingerprint: string
    readonly faults: Readonly<Record<StoryFault | "key" | "place", string>>
    readonly noStamp: string
    readonly stampHolds: string
    /** Where the story itself does not hold. */
    readonly stampOfHead: string
    readonly stampFails: string
    readonly stampUnsure: string
    readonly events: string
    readonly number: string
    readonly time: string
    readonly event: string
    readonly details: string
  }
  readonly archive: {
    readonly of: string
    readonly whole: string
    readonly counted: string
    readonly withoutNews: string
    readonly more: string
    readonly demo: string
    readonly faults: Readonly<Record<ArchiveFault["fault"], string>>
  }
  readonly others: Readonly<Record<OtherFile["problem"], string>>
  readonly unknownCurve: string
  /** By the type of an event; one that is missing is said by its type. */
  readonly events: Readonly<Record<string, string>>
}
