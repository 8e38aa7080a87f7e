import type { ToldEvent, ToldStory } from "@paraph/core/evidence/model"
import type { Kind } from "@paraph/core/signature-request/model"
import { writeVerifierKey } from "@paraph/tlog/note-key"
import type { Trx } from "./database.ts"
import { readStory, type StoryOwner, type StorySealer } from "./evidence.ts"
import { indexesOf, proveIncluded } from "./evidence-log.ts"
import { checkpointFor } from "./log-checkpoints.ts"
import { findLogKey } from "./log-keys.ts"

/** The whole story with its proofs, as far as a head of the log has it. */
export async function findStory(trx: Trx, sealer: StorySealer, of: StoryOwner): Promise<ToldStory | null> {
  const told = await readStory(trx, sealer, of)
  if (told === null) return null
  const positions = await indexesOf(
    trx,
    told.events.map(({ position }) => position),
  )
  const indexes = told.events.map(({ position }) => positions.get(position))
  const log = await headFor(trx, told.kind, indexes)
  const proofs = log === null ? [] : await proveIncluded(trx, told.kind, log.size, indexes)
  const events = told.events.map(
    ({ salt, bytes, body }, i): ToldEvent => ({
      seq: body.seq,
      type: body.type,
      at: new Date(body.at),
      signatureId: body.signature ?? null,
      data: body.data,
      salt,
      body: Buffer.from(bytes).toString("utf8"),
      logged: proofs[i] ?? null,
    }),
  )
  return { events, log: log && { key: log.key, checkpoint: log.note, stamp: log.stamp } }
}

async function headFor(trx: Trx, kind: Kind, indexes: readonly (number | undefined)[]) {
  const last = indexes.reduce((most = 0, index = Number.MAX_SAFE_INTEGER) => Math.max(most, index), 0) ?? 0
  const checkpoint = await checkpointFor(trx, kind, last)
  const key = await findLogKey(trx, kind)
  if (checkpoint === null || key === null) return null
  const { origin: name, publicKey } = key
  return { ...checkpoint, key: writeVerifierKey({ name, type: "ed25519", publicKey }) }
}

/** The business whose story it is. */
export async function ownerOfStory(trx: Trx, id: string): Promise<string | null> {
  const row = await trx.selectFrom("story").select("business_id").where("id", "=", id).executeTakeFirst()
  return row?.business_id ?? null
}
