import { createHash, randomUUID } from "node:crypto"
import type { Clock } from "@paraph/core/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import type { Keys } from "@paraph/gateways/keys"
import type { Outbound } from "@paraph/gateways/outbound"
import { askWitness } from "@paraph/gateways/witness"
import { openCheckpoint, signCheckpoint, withSignatures } from "@paraph/tlog/checkpoint"
import { readNote } from "@paraph/tlog/note"
import { type Head, verifyConsistency } from "@paraph/tlog/verify-proof"
import type { Config } from "./config.ts"
import { type EvidenceLog, type LogKey, noteKeyOf } from "./log-parts.ts"
import type { Logger } from "./telemetry/logs.ts"

type Around = {
  readonly evidenceLog: EvidenceLog
  readonly outbound: Outbound
  readonly now: Clock
  readonly log: Logger
}
type Tokens = {
  readonly of: (kind: Kind) => Pick<Keys, "generate" | "sign">
  readonly kinds: readonly Kind[]
}
/** RFC 3161, by authorities that can be relied upon. */
export type StampDigest = (sha256: Uint8Array) => Promise<Uint8Array>

/** What is there is not what was signed: somebody has changed what was logged. */
export class LogBroken extends Error {
  override readonly name = "LogBroken"
}

/** What a worker does for the log: give indexes, sign a head of it, have it seen by others and stamped. */
export const tendingLog = (
  config: Pick<
    Config,
    "CELL" | "PUBLIC_URL" | "LOG_WITNESSES" | "LOG_CHECKPOINT_SECONDS" | "LOG_STAMP_MINUTES"
  >,
  { evidenceLog, outbound, now, log }: Around,
  { of: keys, kinds }: Tokens,
  stampDigest: StampDigest,
) => ({
  logKinds: kinds,
  sequenceLog: evidenceLog.sequence,

  /** By when the last ones were signed and stamped, whichever worker did it. */
  logIsDue: async (kind: Kind) => {
    const { signed, stamped } = await evidenceLog.lastHeads(kind)
    const isPast = (at: Date | null, ms: number) => at === null || now().getTime() - at.getTime() >= ms
    return {
      head: isPast(signed, config.LOG_CHECKPOINT_SECONDS * 1000),
      stamp: isPast(stamped, config.LOG_STAMP_MINUTES * 60_000),
    }
  },

  /** False where nothing has come since the last one. */
  signLogHead: async (kind: Kind): Promise<boolean> => {
    const last = await evidenceLog.checkpoint(kind)
    // Read behind it: a tree only grows, so it is none that is older than what another worker has just signed.
    const head = await evidenceLog.head(kind)
    if (head.size === (last?.size ?? 0)) return false
    const key = (await evidenceLog.key(kind)) ?? (await makeKey(config, evidenceLog, keys(kind), kind, now()))
    if (last !== null) await mustGoOn(evidenceLog, kind, key, last.note, head)
    const sign = (message: Uint8Array) => keys(kind).sign(key.keyLabel, message, "ed25519")
    const signed = await signCheckpoint(noteKeyOf(key), head, sign)
    const seen = { checkpoint: signed, log: noteKeyOf(key), older: last?.size ?? 0 }
    const proveGrown = (older: number) => evidenceLog.proveGrown(kind, older, head.size)
    // A witness that is away is missed in this head alone: the log does not wait for others.
    const cosigned = await Promise.all(
      config.LOG_WITNESSES.map((witness) =>
        askWitness(outbound, witness, { ...seen, proveGrown }).catch((error: unknown) => {
          log.warn({ error, witness: witness.key.name, kind }, "a head of the evidence log was not witnessed")
          return []
        }),
      ),
    )
    const note = withSignatures(readNote(Buffer.from(signed, "utf8")), cosigned.flat())
    return evidenceLog.keepCheckpoint(kind, { size: head.size, note, signedAt: now() })
  },

  /** Over the newest head, where it has none. False where it has. */
  stampLogHead: async (kind: Kind): Promise<boolean> => {
    const newest = await evidenceLog.checkpoint(kind)
    if (newest === null || newest.stamp !== null) return false
    const stamp = await stampDigest(createHash("sha256").update(newest.note, "utf8").digest())
    await evidenceLog.keepStamp(kind, newest.size, stamp)
    return true
  },
})

/** A log must not sign what contradicts what it has signed (C2SP tlog-checkpoint); what that is, the note says, and not a row. */
async function mustGoOn(log: EvidenceLog, kind: Kind, key: LogKey, note: string, head: Head): Promise<void> {
  const last = openCheckpoint(Buffer.from(note, "utf8"), noteKeyOf(key))
  if (last === undefined || last.size > head.size)
    throw new LogBroken(`The last head of the ${kind} log is not one of it.`)
  if (!verifyConsistency(last, head, await log.proveGrown(kind, last.size, head.size)))
    throw new LogBroken(`The ${kind} log does not go on from the head that was signed.`)
}

// RFC 8410, 4: the key stands at the end of a SubjectPublicKeyInfo.
const KEY_BYTES = 32

async function makeKey(
  { PUBLIC_URL, CELL }: Pick<Config, "PUBLIC_URL" | "CELL">,
  log: EvidenceLog,
  keys: Pick<Keys, "generate">,
  kind: Kind,
  at: Date,
): Promise<LogKey> {
  // With a piece of its own: a token may still hold the keys of a database that is no more.
  const keyLabel = `paraph-log-${randomUUID().slice(0, 8)}`
  const spki = await keys.generate(keyLabel, "Ed25519")
  // Cells have one address and a log each.
  const cell = CELL === "" ? "" : `/cells/${CELL}`
  const origin = `${new URL(PUBLIC_URL).host}${cell}/log/${kind}`
  return log.keepKey(kind, { origin, keyLabel, publicKey: spki.subarray(-KEY_BYTES) }, at)
}
