import type { ToldStory } from "../evidence/model.ts"
import type { Language } from "../language.ts"
import type { Kind } from "../signature-request/model.ts"
import type { SealedReport } from "../validation/ports.ts"
import type { Protocol } from "./model.ts"

/** One language of the protocol of one request. */
export type ProtocolOf = { readonly requestId: string; readonly language: Language }

/** For people, in their language, with the story inside it. It names who is about to seal it. */
export type WriteProtocol = (of: {
  readonly protocol: Protocol
  readonly story: ToldStory
  readonly language: Language
  readonly sealer: string
}) => Promise<Uint8Array>

/**
 * Has the log of that kind hold all that has happened until now under a signed head. What is told afterwards is proved by it; a
 * log that is somebody else's work is refused.
 */
export type CatchUpLog = (kind: Kind) => Promise<void>
/** Whether every event of it is in the log of that kind, as it is told. */
export type MustHold = (requestId: string, kind: Kind, story: ToldStory) => Promise<void>

export type ProtocolsReading = {
  /** Of a request that was just found: the one that tells all that has happened; null where nobody has ordered that. */
  readonly findProtocol: (of: ProtocolOf) => Promise<SealedReport | null>
  /** Whatever is kept, also where more has happened since; null where there is none that was ordered at `since` or later. */
  readonly findNewestProtocol: (of: ProtocolOf, since?: Date) => Promise<SealedReport | null>
  /** For whoever seals it: false where that is done, or nobody wants it any more. */
  readonly isProtocolOrdered: (of: ProtocolOf) => Promise<boolean>
}

export type ProtocolsTx = {
  /** True where somebody has to make it: it is the first order, or more has happened, or who was to make it has given up. */
  readonly orderProtocol: (of: ProtocolOf, at: Date) => Promise<boolean>
  /** `lastSeq`: up to where it tells the story. False where there is one already, or nobody wants it any more. */
  readonly keepProtocol: (of: ProtocolOf, pdf: Uint8Array, lastSeq: number) => Promise<boolean>
  readonly noteProtocolWaits: (of: ProtocolOf, lack: NonNullable<SealedReport["waitingFor"]>) => Promise<void>
}
