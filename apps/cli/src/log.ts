import { readFileSync } from "node:fs"
import type { Kind } from "@paraph/core/signature-request/model"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openKeyRing } from "@paraph/server/key-ring"
import { type CheckParts, checkEvidence } from "@paraph/store/evidence-check"
import { createBusinessKeys } from "@paraph/store/keys/business-keys"
import { createStorySealer } from "@paraph/store/keys/story-sealer"
import { openDatabase } from "@paraph/store/postgres/database"
import { readNote } from "@paraph/tlog/note"
import { type NoteKey, readVerifierKey } from "@paraph/tlog/note-key"
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { textsOf, typed } from "./synopsis.ts"

type Known = { readonly checkpoints: readonly string[]; readonly keys: readonly NoteKey[] }

/** `paraph log check`: all evidence against the log, and against what others have kept of it; 1 where something is found (ADR 0052). */
export async function log(configured: () => Config, words: readonly string[]): Promise<number> {
  if (words[0] !== "check") throw new NotUnderstood("paraph log: check")
  const known = await knownOf(words.slice(1))
  const config = configured()
  const ring = await openKeyRing(config)
  const { serviceDb: db, close } = openDatabase(config.DATABASE_URL, {
    max: 1,
    name: "paraph-log",
    patient: true,
  })
  try {
    const sealer = createStorySealer(createBusinessKeys(db, ring, createClock(config.CLOCK_FILE)))
    const parts = { demo: partsOf("demo", known), production: partsOf("production", known) }
    const findings = await checkEvidence(db, sealer, parts)
    console.log(JSON.stringify({ holds: findings.length === 0, findings }))
    return findings.length === 0 ? 0 : 1
  } finally {
    await close()
    await ring.close()
  }
}

/** A log is known by its origin, which ends with its kind. */
function partsOf(kind: Kind, { checkpoints, keys }: Known): CheckParts {
  const isOf = (origin = "") => origin.endsWith(`/log/${kind}`)
  const key = keys.find(({ name }) => isOf(name))
  return {
    isStampOf,
    known: { checkpoints: checkpoints.filter((note) => isOf(note.split("\n")[0])), ...(key && { key }) },
  }
}

function isStampOf(stamp: Uint8Array, sha256: Uint8Array): boolean {
  try {
    const { digest, digestAlgorithm } = readTimestampToken(stamp).imprint
    return digestAlgorithm === "sha256" && Buffer.compare(digest, sha256) === 0
  } catch {
    return false
  }
}

async function knownOf(words: readonly string[]): Promise<Known> {
  const { values } = typed((await COMMANDS.log.acts()).check.usage, words)
  try {
    const checkpoints = textsOf(values, "checkpoint").map((file) => readFileSync(file, "utf8"))
    for (const note of checkpoints) readNote(Buffer.from(note, "utf8"))
    const keys = textsOf(values, "key").map((file) => readVerifierKey(readFileSync(file, "utf8").trim()))
    return { checkpoints, keys }
  } catch (error) {
    throw new NotUnderstood((error as Error).message)
  }
}
