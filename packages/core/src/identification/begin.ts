import type { Signer } from "../login/signer.ts"
import type { Clock, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { Kind, Signature, SignatureRequest } from "../signature-request/model.ts"
import { whoseTurnItIs } from "../signature-request/turn.ts"
import { identificationStep } from "./machine.ts"
import type { Identification } from "./model.ts"
import { identificationOf } from "./needed.ts"
import type { IdentityProvider } from "./ports.ts"

export type BeginParts = {
  readonly now: Clock
  readonly read: Read
  readonly transact: Transact
  readonly identityProviders: readonly IdentityProvider[]
}

export type Begun = {
  readonly kind: Kind
  readonly signature: Signature
  readonly identification: Identification
}

/** Whether the person may go now, and to whom; nothing has happened yet. */
export function mayBegin(parts: BeginParts, signer: Signer): Promise<Begun> {
  return parts.read(signer.businessId, async (reading) => {
    const request = await reading.findRequest(signer.requestId)
    return toBegin(parts, request, signer.signatureId)
  })
}

/** On record before the person goes: from here on the answer to an earlier attempt counts no more. */
export function beginIdentification(parts: BeginParts, signer: Signer): Promise<Begun> {
  return parts.transact(signer.businessId, async (tx) => {
    const { signatureId, requestId } = signer
    const event = { type: "identify", signatureId, step: { type: "begin" }, at: parts.now() } as const
    const request = await apply(tx, requestId, event)
    const signature = request.signatures.find(({ id }) => id === signatureId)
    if (!signature?.identification) throw new Error("An identification that was begun is missing.")
    await tx.keepTokens(signature.identification.id, null)
    return { kind: request.kind, signature, identification: signature.identification }
  })
}

function toBegin(parts: BeginParts, request: SignatureRequest | null, signatureId: string): Begun {
  if (request === null) throw new Refusal("not-found", "There is no such signature.")
  const signature = whoseTurnItIs(request, signatureId)
  const needed = identificationOf(request, signature)
  if (needed === null) throw new Refusal("not-found", "There is nothing to identify for.")
  mustBeProvider(parts, needed.provider, request.kind)
  const identification = identificationStep(needed, { type: "begin" }, parts.now())
  return { kind: request.kind, signature, identification }
}

/** Said when it is asked for, and not to the person who has read and wants to sign. */
export function mustBeIdentifiable(
  parts: Pick<BeginParts, "identityProviders">,
  request: SignatureRequest,
): SignatureRequest {
  for (const signature of request.signatures) {
    const needed = signature.state === "open" ? identificationOf(request, signature) : null
    if (needed !== null) mustBeProvider(parts, needed.provider, request.kind)
  }
  return request
}

/** A demo provider proves nothing, so it stands in for no other. */
export function mustBeProvider(
  { identityProviders }: Pick<BeginParts, "identityProviders">,
  name: string,
  kind: SignatureRequest["kind"],
): IdentityProvider {
  const found = identityProviders.find((one) => one.name === name && one.kind === kind)
  if (found === undefined)
    throw new Refusal("constraint-violated", `No identification provider "${name}" gives evidence here.`)
  return found
}
