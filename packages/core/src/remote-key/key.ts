import type { Signer } from "../login/signer.ts"
import type { Read } from "../ports.ts"
import type { Found, OfferedKey } from "../release/prepare.ts"
import type { RemoteProblem } from "./model.ts"
import { certifiedName, isOfPerson } from "./person.ts"
import type { FindCredential } from "./ports.ts"

export type RemoteKeyParts = { readonly read: Read; readonly findCredential: FindCredential }

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
  const found = await parts.findCredential(provider, request.kind, token)
  if (typeof found === "string") throw new NoKeyThere(found)
  const { certificate, chain, algorithm, names, most } = found
  if (most < signature.marks.filter((m) => m.versionId === null).length) throw new NoKeyThere("not-usable")
  if (!isOfPerson(names, turn.name.by === "signer" ? null : turn.name)) throw new NoKeyThere("other-person")
  return {
    key: { at: "provider", provider, credentialId: found.id, algorithm },
    issued: { certificate, chain },
    name: certifiedName(names),
  }
}
