import type { AccountRows } from "../account/ports.ts"
import { mustBeIdentified } from "../identification/needed.ts"
import { LIMITS } from "../limits.ts"
import { calledFrom, type SignerSession } from "../login/signer.ts"
import { readName } from "../names/read-name.ts"
import type { SmsReach } from "../one-time-code/ports.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { RemoteProviders } from "../remote-key/ports.ts"
import { chosenProvider } from "../remote-key/providers.ts"
import { apply } from "../signature-request/apply.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { type Agreed, type ConsentParts, judgedConsent } from "../signature-request/request-signing.ts"
import { servedTo } from "../signature-request/served-pages.ts"
import { type Factors, factorsOf } from "./factors.ts"
import type { EstablishedName } from "./model.ts"
import { canBeCertified, establishedName, statedName } from "./name.ts"

export type TurnParts = ConsentParts & {
  readonly read: Read
  readonly accounts: Pick<AccountRows, "findByEmail" | "findProvenName">
  readonly smsReach: SmsReach
  readonly remoteProviders: RemoteProviders
}

/**
 * The click where the signer's own key will sign: consent and turn in one. Whoever has nothing to release a key with is told
 * before anything is made; the name is the one that was established, whatever was typed.
 */
export async function takeTurn(
  parts: TurnParts,
  signer: SignerSession,
  agreed: Agreed,
): Promise<SignatureRequest> {
  const { name, provider } = await nameToSignWith(parts, signer, agreed)
  const { requestId, signatureId, way } = signer
  return parts.transact(signer.businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    const signature = request?.signatures.find((s) => s.id === signatureId)
    if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
    const at = parts.now()
    const judged = { ...agreed, name: name.name, provider }
    const consent = await judgedConsent(parts, tx, request, signature, judged)
    const until = new Date(at.getTime() + turnMs(request, signature, provider))
    const releaseId = parts.newId()
    const served = await servedTo(tx, signer, agreed.shown)
    const turn = {
      signatureId,
      consent,
      ...served,
      way,
      releaseId,
      until,
      name,
      provider,
      ...calledFrom(signer),
      at,
    }
    const after = await apply(tx, requestId, { type: "take-turn", ...turn })
    const isTaken = after.signatures.some((s) => s.turn?.releaseId === releaseId)
    if (provider !== null && isTaken) await tx.insertRemoteSigning({ releaseId, signatureId, provider }, at)
    return after
  })
}

/** A way to a provider may take days, where nobody else is kept waiting by it. */
function turnMs(request: SignatureRequest, own: Signature, provider: string | null): number {
  if (provider === null) return LIMITS.signingTurnMs
  const ids = own.marks.map(({ documentId }) => documentId)
  const isAlone = !request.signatures.some(
    (s) => s.id !== own.id && s.state === "open" && s.marks.some((m) => ids.includes(m.documentId)),
  )
  return isAlone ? LIMITS.providerTurnAloneMs : LIMITS.providerTurnMs
}

type SignedAs = { readonly name: EstablishedName; readonly provider: string | null }

async function nameToSignWith(parts: TurnParts, signer: SignerSession, agreed: Agreed): Promise<SignedAs> {
  const request = await parts.read(
    signer.businessId,
    (reading) => reading.findRequest(signer.requestId),
    "once",
  )
  const signature = request?.signatures.find((s) => s.id === signer.signatureId)
  if (!request || !signature) throw new Refusal("not-found", "There is no such signature.")
  const at = parts.now()
  mustBeIdentified(request, signature, at)
  const account = signature.email === null ? null : await parts.accounts.findByEmail(signature.email)
  const proven = account && (await parts.accounts.findProvenName(account.id, request.businessId))
  const named = account && { name: account.name, proven }
  const name = establishedName(request, signature, named, at)
  const provider = chosenProvider(request, parts.remoteProviders, agreed.provider ?? null)
  if (provider !== null) {
    // The certificate of the provider states the name; until it is there, a stated or typed one stands in for it.
    const typed = (): EstablishedName => ({
      ...{ name: readName("name", agreed.name), givenName: null, surname: null, by: "signer", proof: null },
    })
    return { name: name ?? statedName(signature, named) ?? typed(), provider: provider.name }
  }
  if (name === null) throw identityNeeded(request)
  const factors = factorsOf({ request, signature, session: signer, account }, parts.smsReach, at)
  if (factors.kinds.length === 0) throw noFactor(factors)
  if (!canBeCertified(name.name))
    throw new Refusal(
      "name-invalid",
      `The name “${name.name}” cannot be put into a certificate: it has more than ${LIMITS.commonNameCharacters} characters, or states the quality of a signature.`,
    )
  return { name, provider: null }
}

const identityNeeded = ({ kind }: Pick<SignatureRequest, "kind">) =>
  kind === "demo"
    ? new Refusal("factor-needed", "Set up a way to confirm that it is you first.")
    : new Refusal(
        "identity-needed",
        "Only the sender or the signer has stated the signer's name. A provider of identification or a member of the business has to establish it first.",
      )

const noFactor = ({ heldUntil }: Factors) =>
  heldUntil === null
    ? new Refusal("factor-needed", "Set up a way to confirm that it is you first.")
    : new Refusal(
        "factor-held",
        `Your passkey or authenticator app was added or recovered recently and can activate an advanced signature from ${heldUntil.toISOString()} on.`,
      )
