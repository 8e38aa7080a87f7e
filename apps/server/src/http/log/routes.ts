import { Refusal } from "@paraph/core/refusal"
import type { Kind } from "@paraph/core/signature-request/model"
import { writeEntryBundle } from "@paraph/tlog/entry-bundle"
import { HASH_BYTES } from "@paraph/tlog/hash"
import { readTilePath, type Tile, tileIn } from "@paraph/tlog/tile"
import type { FastifyInstance } from "fastify"
import { verifierKeyOf } from "../../log-parts.ts"
import type { Parts } from "../../parts.ts"

type LogParts = Pick<Parts, "evidenceLog">
type OfKind = { Params: { kind: string } }

const PLAIN = "text/plain; charset=utf-8"
/** What does not change is kept for long by whoever stands between (C2SP tlog-tiles). */
const FOR_GOOD = "public, max-age=31536000, immutable"
const FOR_SECONDS = "public, max-age=5"

/** The log of evidence for whoever wants to check it (ADR 0052): salted hashes and heads. Nobody needs a token. */
export async function evidenceLog(scope: FastifyInstance, { evidenceLog: log }: LogParts): Promise<void> {
  scope.get<OfKind>("/log/:kind/key", async ({ params }, reply) => {
    const key = there(await log.key(kindOf(params.kind)))
    return reply
      .type(PLAIN)
      .header("cache-control", FOR_SECONDS)
      .send(`${verifierKeyOf(key)}\n`)
  })

  scope.get<OfKind>("/log/:kind/checkpoint", async ({ params }, reply) => {
    const { note } = there(await log.checkpoint(kindOf(params.kind)))
    return reply.type(PLAIN).header("cache-control", FOR_SECONDS).send(note)
  })

  scope.get<{ Params: { kind: string; "*": string } }>("/log/:kind/tile/*", async ({ params }, reply) => {
    const kind = kindOf(params.kind)
    const asked = there(readTilePath(`tile/${params["*"]}`))
    // Only what a signed head needs: a tile behind it may still be widened by nobody, but nobody answers for it either.
    const { size } = there(await log.checkpoint(kind))
    const most = tileIn(size, asked.level, asked.n)
    if (most === undefined || asked.width > most.width) throw notThere()
    const bytes = asked.entries ? await bundleOf(log, kind, asked) : await hashesOf(log, kind, asked)
    return reply.type("application/octet-stream").header("cache-control", FOR_GOOD).send(Buffer.from(bytes))
  })
}

async function hashesOf(
  log: LogParts["evidenceLog"],
  kind: Kind,
  { level, n, width }: Tile,
): Promise<Uint8Array> {
  return there(await log.tile(kind, level, n)).subarray(0, width * HASH_BYTES)
}

const bundleOf = async (log: LogParts["evidenceLog"], kind: Kind, tile: Tile): Promise<Uint8Array> =>
  writeEntryBundle(await log.entries(kind, tile))

function kindOf(told: string): Kind {
  if (told !== "demo" && told !== "production") throw notThere()
  return told
}

function there<T>(found: T | null | undefined): T {
  if (found == null) throw notThere()
  return found
}

const notThere = (): Refusal => new Refusal("not-found", "There is no such object.")
