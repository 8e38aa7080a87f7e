import { bySecondFactor, type PasskeyProof } from "../account/log-in.ts"
import type { Credentials, NewAccountSession } from "../account/model.ts"
import type { AccountParts, AccountTx } from "../account/ports.ts"
import { LIMITS } from "../limits.ts"
import { calledFrom, type SignerSession } from "../login/signer.ts"
import { mustBeRight } from "../one-time-code/check.ts"
import type { HashCode, SmsReach } from "../one-time-code/ports.ts"
import { askForReleaseCode, checkReleaseCode } from "../one-time-code/release.ts"
import type { Clock, Read, Sha256, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { bindingOf } from "./binding.ts"
import { type FactorsOf, factorsOf, mayActivate } from "./factors.ts"
import type { Passed, Release } from "./model.ts"
import { provenNameOf } from "./proven-name.ts"

export type PassParts = {
  readonly transact: Transact
  readonly read: Read
  readonly now: Clock
  readonly sha256: Sha256
}

export type Offered = {
  readonly release: Release
  readonly request: SignatureRequest
  readonly signature: Signature
  readonly account: Credentials | null
  readonly binding: string
}

/** What the signer in this session is asked to release now, and whose factors count for it. */
export async function offeredTo(
  parts: PassParts & Pick<AccountParts, "accounts">,
  signer: SignerSession,
): Promise<Offered> {
  const found = await parts.read(signer.businessId, async (reading) => {
    const request = await reading.findRequest(signer.requestId)
    const signature = request?.signatures.find((s) => s.id === signer.signatureId)
    const turn = signature?.turn
    if (signature?.state !== "open" || turn?.state !== "offered" || turn.until <= parts.now()) return null
    const release = await reading.findRelease(turn.releaseId)
    return release === null || request === null ? null : { release, request, signature }
  })
  if (found === null) throw over()
  const { email } = found.signature
  const account = email === null ? null : await parts.accounts.findByEmail(email)
  return { ...found, account, binding: bindingOf(found.release, parts.sha256) }
}

/** A passkey whose assertion was over the binding; it is used up before the release passes. */
export async function passByPasskey(
  parts: PassParts & AccountParts,
  signer: SignerSession,
  { release, request, signature, account, binding }: Offered,
  proved: PasskeyProof,
): Promise<void> {
  if (account === null || account.id !== proved.accountId) throw wrong()
  const { heldUntil } = proved
  if (!mayActivate({ request, signature, session: signer }, heldUntil, parts.now())) throw held(heldUntil)
  const isGood = await parts.accounts.transact(async (tx: AccountTx) => {
    await tx.lock(account.id)
    return tx.usePasskey(proved.passkeyId, proved.counter, parts.now())
  })
  if (!isGood) throw wrong()
  await passed(parts, signer, release, { factor: "passkey", by: account.id, binding, accountId: account.id })
}

/** A code of the authenticator app, together with the binding that the page had: each step counts once (RFC 6238, 5.2). */
export async function passByCode(
  parts: PassParts & AccountParts,
  signer: SignerSession,
  { release, request, signature, account, binding }: Offered,
  given: {
    readonly code: string
    readonly binding: string
    readonly language: SignerLanguage
    readonly session: NewAccountSession
  },
): Promise<void> {
  if (given.binding !== binding) throw over()
  // A code that was written down for a lost phone opens the account; it is not the phone.
  if (account === null || !/^\d{6}$/.test(given.code)) throw new Refusal("code-wrong", "The code is wrong.")
  const heldUntil = account.totp?.heldUntil ?? null
  if (!mayActivate({ request, signature, session: signer }, heldUntil, parts.now())) throw held(heldUntil)
  const { code, language, session } = given
  await bySecondFactor(
    parts,
    account,
    { code, where: "second factor, signing", language, session },
    async () => undefined,
  )
  await passed(parts, signer, release, { factor: "totp", by: account.id, binding, accountId: account.id })
}

type SignerLanguage = Parameters<typeof bySecondFactor>[2]["language"]

/** A code by SMS: sent for this binding, and used up in the transaction in which the release passes. */
export async function passBySms(
  parts: PassParts & { readonly smsReach: SmsReach; readonly hashSignerCode: HashCode },
  signer: SignerSession,
  { release, account, binding }: Offered,
  given: { readonly code: string; readonly binding: string },
): Promise<void> {
  if (given.binding !== binding) throw over()
  const judged = await parts.transact(signer.businessId, async (tx) => {
    const releasing = { session: signer, binding, ...(await lockedFor(tx, signer)) }
    mustBeBySms(parts, releasing, account)
    const found = await checkReleaseCode(tx, parts, releasing, given.code, parts.now())
    const by = releasing.signature.identity?.mobileNumber ?? ""
    if (found === "right") await passIn(parts, tx, signer, release.id, { factor: "sms", by, binding })
    return found
  })
  mustBeRight(judged)
}

export async function askForSms(
  parts: PassParts & { readonly smsReach: SmsReach },
  signer: SignerSession,
  { account, binding }: Offered,
  network: string,
): Promise<void> {
  await parts.transact(signer.businessId, async (tx) => {
    const releasing = { session: signer, binding, network, ...(await lockedFor(tx, signer)) }
    mustBeBySms(parts, releasing, account)
    await askForReleaseCode(tx, parts.smsReach, releasing, parts.now())
  })
}

function mustBeBySms(
  { smsReach, now }: { readonly smsReach: SmsReach; readonly now: Clock },
  of: Omit<FactorsOf, "account">,
  account: Credentials | null,
): void {
  if (!factorsOf({ ...of, account }, smsReach, now()).kinds.includes("sms"))
    throw new Refusal("factor-needed", "Confirm with what your account has.")
}

async function lockedFor(tx: Tx, { requestId, signatureId }: SignerSession) {
  const request = await tx.lockRequest(requestId)
  const signature = request?.signatures.find((s) => s.id === signatureId)
  if (!request || signature?.turn?.state !== "offered") throw over()
  return { request, signature }
}

type Proof = {
  readonly factor: Passed["factor"]
  readonly by: string
  readonly binding: string
  /** Whose factor it is; absent where it belongs to no account. */
  readonly accountId?: string
}

const passed = (
  parts: PassParts,
  signer: SignerSession,
  { id }: Pick<Release, "id">,
  proof: Proof,
): Promise<void> => parts.transact(signer.businessId, (tx) => passIn(parts, tx, signer, id, proof))

/** All of it is judged again under the lock: a release passes once, in its time, for the very bytes that it was offered for. */
export async function passIn(
  parts: Pick<PassParts, "now" | "sha256">,
  tx: Tx,
  signer: Pick<SignerSession, "requestId" | "signatureId" | "ip">,
  releaseId: string,
  { factor, by, binding, accountId }: Proof,
): Promise<void> {
  const { requestId, signatureId } = signer
  const request = await tx.lockRequest(requestId)
  const turn = request?.signatures.find(({ id }) => id === signatureId)?.turn
  if (request === null || !turn) throw over()
  const release = await tx.findRelease(releaseId)
  const at = parts.now()
  mustPass(release, signatureId, bindingOfKnown(parts, release), binding, at)
  await tx.passRelease(releaseId, { factor, by, at })
  const { key, kind } = release
  const dueAt = new Date(at.getTime() + LIMITS.signingRetryMs)
  if (key.at === "token") await tx.noteSignerKey({ keyLabel: key.label, kind, dueAt })
  const of = { signatureId, releaseId, ...calledFrom(signer), at }
  await apply(tx, requestId, { type: "release", factor, binding, ...of })
  const proven = accountId === undefined ? null : provenNameOf(request, accountId, turn.name)
  if (proven !== null) await tx.saveProvenName(proven)
}

const bindingOfKnown = (parts: Pick<PassParts, "sha256">, release: Release | null): string | null =>
  release === null ? null : bindingOf(release, parts.sha256)

/** Replayed, swapped or expired: nothing of it passes. Pure, and asserted over ten thousand forgeries. */
export function mustPass(
  release: Release | null,
  signatureId: string,
  binding: string | null,
  proved: string,
  at: Date,
): asserts release is Release {
  const isGood =
    release !== null &&
    release.signatureId === signatureId &&
    release.passed === null &&
    at < release.until &&
    binding === proved
  if (!isGood) throw over()
}

/** ASVS 6.4.3: a thief of the account cannot sign with a factor that they added a moment ago. */
const held = (until: Date | null) =>
  new Refusal(
    "factor-held",
    `This factor was added or recovered recently and can activate an advanced signature from ${until?.toISOString()} on.`,
  )
const over = () => new Refusal("release-over", "The time to confirm has passed. Please sign again.")
const wrong = () => new Refusal("credentials-invalid", "The passkey could not be proved.")
