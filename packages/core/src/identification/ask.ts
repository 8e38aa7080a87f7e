import type { StoredAttachment } from "../attachment/ports.ts"
import { type KeepParts, keepIfGood } from "../document/keep-if-good.ts"
import type { HoldBytes } from "../document/ports.ts"
import type { Tenant } from "../fair-share/owner.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { apply } from "../signature-request/apply.ts"
import type { Kind, Signature, SignatureRequest } from "../signature-request/model.ts"
import { mustBeProvider } from "./begin.ts"
import { overMeanwhile } from "./come-back.ts"
import { filesOf, type NewFile } from "./evidence-files.ts"
import { judge, type Verdict } from "./judge.ts"
import type { IdentificationEvent } from "./machine.ts"
import { type Identification, identificationStatus } from "./model.ts"
import { identificationOf } from "./needed.ts"
import type { AskProvider, FetchEvidence, IdentityProvider, ProviderTokens, Told } from "./ports.ts"

export type AskParts = KeepParts & {
  readonly now: Clock
  readonly newId: NewId
  readonly read: Read
  readonly transact: Transact
  readonly holdBytes: HoldBytes
  readonly identityProviders: readonly IdentityProvider[]
  readonly askProvider: AskProvider
  readonly fetchEvidence: FetchEvidence
}

export type ToAsk = { readonly businessId: string; readonly requestId: string; readonly signatureId: string }

/**
 * Asks the provider who the person was, and judges what it says. May be done twice, by two workers at once: an answer changes
 * something once, and files that nobody needs are swept.
 */
export async function askIdentityProvider(parts: AskParts, asked: ToAsk): Promise<void> {
  const open = await waiting(parts, asked)
  if (open === null) return
  const { identification, tokens, provider, signature, kind } = open
  const told = await parts.askProvider(provider.name, provider.kind, tokens)
  const verdict = told === "invalid" ? null : judge(told.claims, provider, statedOf(signature), parts.now())
  const files = told === "invalid" ? [] : await filesOf(parts, provider.name, told, verdict)
  const step = stepOf(files === "invalid" ? null : verdict, identification, parts.now())
  await settle(
    parts,
    { ...asked, kind },
    identification,
    step,
    files === "invalid" ? [] : files,
    told === "invalid" ? null : told,
  )
}

type Waiting = {
  readonly identification: Identification
  readonly signature: Signature
  readonly tokens: ProviderTokens
  readonly provider: IdentityProvider
  readonly kind: Kind
}

/** Null where nothing waits for the provider any more. */
function waiting(parts: AskParts, { businessId, requestId, signatureId }: ToAsk): Promise<Waiting | null> {
  return parts.read(businessId, async (reading) => {
    const request = await reading.findRequest(requestId)
    const signature = request?.signatures.find(({ id }) => id === signatureId)
    if (!request || signature?.state !== "open") return null
    const identification = identificationOf(request, signature)
    if (identification === null || !isAsked(identification, parts.now())) return null
    const tokens = await reading.findTokens(identification.id)
    if (tokens === null) return null
    const provider = mustBeProvider(parts, identification.provider, request.kind)
    return { identification, signature, tokens, provider, kind: request.kind }
  })
}

function isAsked(identification: Identification, now: Date): boolean {
  const status = identificationStatus(identification, now)
  if (status === "STARTED") return identification.returnedAt !== null
  return status === "PENDING_REVIEW" && identification.reason === "provider-reviews"
}

function statedOf({ identity }: Signature) {
  return {
    firstName: identity?.firstName ?? "",
    lastName: identity?.lastName ?? "",
    issuingCountry: identity?.issuingCountry ?? "",
  }
}

function stepOf(verdict: Verdict | null, known: Identification, now: Date): IdentificationEvent {
  const { attempt } = known
  if (verdict === null) return { type: "reject", attempt, reason: "answer-invalid" }
  switch (verdict.type) {
    case "waiting":
      return { type: "pend", attempt, reason: "provider-reviews", name: null, askAt: nextAsk(known, now) }
    case "pend":
      return { type: "pend", attempt, reason: verdict.reason, name: verdict.name, askAt: null }
    case "accept":
      return { type: "accept", attempt, name: verdict.name }
    case "reject":
      return { type: "reject", attempt, reason: verdict.reason }
  }
}

/** Soon at first, when somebody still sits before the page; then less and less often. */
function nextAsk({ returnedAt }: Identification, now: Date): Date {
  const waitedMs = now.getTime() - (returnedAt ?? now).getTime()
  const pauseMs = Math.min(Math.max(waitedMs / 4, LIMITS.identificationAskMs), LIMITS.identificationAskMaxMs)
  return new Date(now.getTime() + pauseMs)
}

/** The bytes first, then the row that owns them and the change that they are evidence for, in one transaction. */
async function settle(
  parts: AskParts,
  { businessId, kind, requestId, signatureId }: ToAsk & Tenant,
  known: Identification,
  step: IdentificationEvent,
  files: readonly NewFile[],
  told: Told | null,
): Promise<void> {
  const at = parts.now()
  const stored = await store(parts, { businessId, kind }, requestId, files, at)
  const { attempt } = known
  const decided = stored === null ? ({ type: "reject", attempt, reason: "answer-invalid" } as const) : step
  let isOwned = false
  try {
    await parts.transact(businessId, async (tx) => {
      const before = identificationIn(await tx.lockRequest(requestId), signatureId)
      const event = { type: "identify", signatureId, step: decided, at } as const
      const after = identificationIn(await apply(tx, requestId, event), signatureId)
      if (before === null || after === null || isSame(before, after)) return
      const isStillAsked = after.state === "PENDING_REVIEW" && after.reason === "provider-reviews"
      await tx.keepTokens(after.id, isStillAsked ? (told?.tokens ?? null) : null)
      if (stored === null || stored.length === 0) return
      await tx.keepEvidenceFiles(after.id, stored, at)
      isOwned = true
    })
  } catch (error) {
    overMeanwhile(error)
  } finally {
    if (!isOwned) for (const { blob } of stored ?? []) await parts.abandon(blob)
  }
}

const isSame = (one: Identification, other: Identification): boolean =>
  one.state === other.state &&
  one.attempt === other.attempt &&
  one.askAt?.getTime() === other.askAt?.getTime()

const identificationIn = (request: SignatureRequest | null, signatureId: string): Identification | null =>
  request?.signatures.find(({ id }) => id === signatureId)?.identification ?? null

/** Scanned as everything that comes from outside is; null where a file is refused, and then none of them counts. */
async function store(
  parts: AskParts,
  owner: Tenant,
  requestId: string,
  files: readonly NewFile[],
  createdAt: Date,
): Promise<readonly StoredAttachment[] | null> {
  const stored: StoredAttachment[] = []
  try {
    for (const { filename, contentType, bytes } of files) {
      const held = await parts.holdBytes(owner, once(bytes))
      try {
        const { blob } = await keepIfGood(parts, held, async () => undefined)
        const { sizeBytes, sha256 } = held
        const of = { businessId: owner.businessId, requestId }
        stored.push({ ...of, id: parts.newId(), filename, contentType, sizeBytes, sha256, blob, createdAt })
      } finally {
        await held.release()
      }
    }
    return stored
  } catch (error) {
    for (const { blob } of stored) await parts.abandon(blob)
    if (error instanceof Refusal && error.code === "malware-detected") return null
    throw error
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
