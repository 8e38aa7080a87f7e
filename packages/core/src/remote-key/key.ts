import type { Signer } from "../login/signer.ts"
import type { Clock, Read } from "../ports.ts"
import type { Found, OfferedKey } from "../release/prepare.ts"
import type { RemoteProblem } from "./model.ts"
import { certifiedName, isOfPerson } from "./person.ts"
import type { FindCredentials } from "./ports.ts"

export type RemoteKeyParts = {
  readonly read: Read
  readonly now: Clock
  readonly findCredentials: FindCredentials
}

type Task = Signer & { readonly releaseId: string; readonly provider: string }

/** Whoever logged in has no key there that may make this signature. The turn is over, and the person is told why. */
export class NoKeyThere extends Error {
  readonly problem: RemoteProblem
  constructor(problem: RemoteProblem) {
    super(`No key at the provider: ${problem}.`)
    this.name = "NoKeyThere"
    this.problem = problem
  }
}

/** The key of whoever logged in at the provider: with a qualified certificate of the right law, and of the right person. */
export async function keyAtProvider(
  parts: RemoteKeyParts,
  { businessId, releaseId, provider }: Task,
  { request, signature, turn }: Found,
): Promise<OfferedKey> {
  const token = await parts.read(businessId, (reading) => reading.findRemoteToken(releaseId))
  if (token === null) throw new NoKeyThere("expired")
  const all = await parts.findCredentials(provider, request.kind, token)
  if (typeof all === "string") throw new NoKeyThere(all)
  const asked = turn.name.by === "signer" ? null : turn.name
  const theirs = all.filter(({ names }) => isOfPerson(names, asked))
  if (theirs.length === 0) throw new NoKeyThere("other-person")
  const count = signature.marks.filter((m) => m.versionId === null).length
  const found = theirs.find(({ most }) => most >= count)
  if (found === undefined) throw new NoKeyThere("not-usable")
  const { certificate, chain, algorithm, names } = found
  return {
    key: { at: "provider", provider, credentialId: found.id, algorithm },
    issued: { certificate, chain },
    name: certifiedName(names, { by: "certificate", source: provider, at: parts.now().toISOString() }),
  }
}
