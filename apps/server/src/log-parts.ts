import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as rows from "@paraph/store/postgres/evidence-log"
import * as heads from "@paraph/store/postgres/log-checkpoints"
import { findLogKey, keepLogKey, type LogKey } from "@paraph/store/postgres/log-keys"
import { writeVerifierKey } from "@paraph/tlog/note-key"

/** What every role has of the log (ADR 0052): its rows. */
export const logRows = (db: ServiceDatabase) => ({
  evidenceLog: {
    key: (kind: Kind) => findLogKey(db, kind),
    keepKey: (kind: Kind, key: LogKey, at: Date) => keepLogKey(db, kind, key, at),
    sequence: (kind: Kind) => rows.sequence(db, kind),
    head: (kind: Kind) => rows.headOf(db, kind),
    checkpoint: (kind: Kind) => heads.newestCheckpoint(db, kind),
    lastHeads: (kind: Kind) => heads.lastHeads(db, kind),
    keepCheckpoint: (kind: Kind, signed: Omit<heads.Checkpoint, "stamp">) =>
      heads.keepCheckpoint(db, kind, signed),
    keepStamp: (kind: Kind, size: number, stamp: Uint8Array) => heads.keepStamp(db, kind, size, stamp),
    proveGrown: (kind: Kind, older: number, newer: number) => rows.proveGrown(db, kind, older, newer),
    tile: (kind: Kind, level: number, n: number) => rows.findTile(db, kind, level, n),
    entries: (kind: Kind, of: { readonly n: number; readonly width: number }) => rows.entriesOf(db, kind, of),
  },
})

export type EvidenceLog = ReturnType<typeof logRows>["evidenceLog"]
export type { LogKey }

export const noteKeyOf = ({ origin, publicKey }: LogKey) =>
  ({ name: origin, type: "ed25519", publicKey }) as const

/** As tools for notes have it. */
export const verifierKeyOf = (key: LogKey): string => writeVerifierKey(noteKeyOf(key))
