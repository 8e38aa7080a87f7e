import type { Clock, Sha256, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { bindingOf } from "../release/binding.ts"
import { passIn } from "../release/pass.ts"
import { apply } from "../signature-request/apply.ts"
import { isHeld } from "../signature-request/steps/releasing.ts"
import type { RemoteProblem, RemoteToken } from "./model.ts"
import type { RemoteWayTaken } from "./ports.ts"

type Parts = {
  readonly transact: Transact
  readonly now: Clock
  readonly sha256: Sha256
}

/**
 * The person is back from the provider, with what opens it or without. It is kept, sealed, before anything is asked of it; what is
 * to be done then a worker does, in another process and another day. Whoever said no there may go again, for the same hashes.
 */
export async function cameBack(
  parts: Parts,
  taken: RemoteWayTaken,
  outcome: RemoteToken | RemoteProblem,
): Promise<void> {
  const { businessId, requestId, signatureId, releaseId, visit } = taken
  await parts
    .transact(businessId, async (tx) => {
      const request = await tx.lockRequest(requestId)
      const turn = request?.signatures.find((s) => s.id === signatureId)?.turn ?? null
      const at = parts.now()
      const isTheirs = turn?.releaseId === releaseId && turn.state === STATES[visit] && isHeld(turn, at)
      // Too late, or a second time: nothing was asked of the provider, and nothing is owed.
      if (!isTheirs) return
      if (typeof outcome === "string") return tx.noteRemote(releaseId, { problem: outcome })
      if (visit === "release") await pass(parts, tx, taken, outcome)
      else await apply(tx, requestId, { type: "log-in", signatureId, releaseId, at })
      await tx.keepRemoteToken(releaseId, outcome)
      await tx.noteRemote(releaseId, { problem: null })
    })
    .catch(overMeanwhile)
}

const STATES = { "log-in": "logging-in", release: "offered" } as const

/** The provider's own release is bound to the hashes (SCAL2); ours, to the same bytes, passes with it, once. */
async function pass(parts: Parts, tx: Tx, taken: RemoteWayTaken, token: RemoteToken): Promise<void> {
  const release = await tx.findRelease(taken.releaseId)
  if (release?.key.at !== "provider") throw new Error("A release at a provider is missing.")
  const { provider, credentialId } = release.key
  if (token.credentialId !== null && token.credentialId !== credentialId)
    throw new Refusal("release-over", "Another certificate was released.")
  const proof = { factor: "provider", by: provider, binding: bindingOf(release, parts.sha256) } as const
  await passIn(parts, tx, taken, release.id, proof)
}

/** The request has ended, or the time is over: what was brought has come too late, and is nobody's fault. */
function overMeanwhile(error: unknown): void {
  const codes = ["request-not-open", "signature-not-open", "not-found", "release-over"]
  if (!(error instanceof Refusal) || !codes.includes(error.code)) throw error
}
