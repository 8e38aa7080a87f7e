import type { Caller } from "../access/caller.ts"
import { mustReadRequest } from "../access/may.ts"
import type { ToldStory } from "../evidence/model.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, Read, Reading, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import { notSealed } from "../validation/read-report.ts"
import type { Protocol } from "./model.ts"
import type { ProtocolOf } from "./ports.ts"
import { protocolOf } from "./protocol.ts"

/** Decisions, "report": for whoever may read the request, as it stands this moment. */
export async function readProtocol(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<{ readonly protocol: Protocol; readonly story: ToldStory }> {
  return parts.read(caller.businessId, async (reading) => {
    const request = mustReadRequest(caller, await reading.findRequest(id))
    const story = await reading.findStory(id)
    if (story === null) throw new Refusal("not-found", "There is no such object.")
    return { protocol: protocolOf(request, story), story }
  })
}

export type ReadProtocolParts = {
  readonly read: Read
  readonly transact: Transact
  readonly now: Clock
  /** Refuses whoever has had too many made: each costs a seal. What is kept, and what is being made, costs nothing. */
  readonly mayOrderProtocol: () => void
  /** Comes back when it is sealed or gone, or after a time that a caller can be asked to wait. */
  readonly protocolIsOver: (of: ProtocolOf) => Promise<unknown>
}

/**
 * The same on paper, sealed by a worker: the same bytes as long as nothing happens. What happens while somebody waits for it may
 * be in it or not; whoever asks again gets the longer one.
 */
export async function readSealedProtocol(
  parts: ReadProtocolParts,
  caller: Caller,
  of: ProtocolOf,
): Promise<Uint8Array> {
  const { businessId, kind } = caller
  const reading = <T>(find: (reading: Reading) => Promise<T>): Promise<T> =>
    parts.read(businessId, async (reading) => {
      mustReadRequest(caller, await reading.findRequest(of.requestId))
      return find(reading)
    })
  const before = await reading((it) => it.findProtocol(of))
  if (before?.pdf != null) return before.pdf
  await makeProtocol(parts, { businessId, kind }, of)
  const after = await reading((it) => it.findNewestProtocol(of))
  if (after?.pdf != null) return after.pdf
  throw notSealed(after?.waitingFor ?? null)
}

/**
 * For the mail that says that all have signed. The mails are events too: one that was made since the last signature tells all
 * that matters, and is not made anew for every reader. Late where nobody could seal it within a day of `since`, when the mail
 * was to go: that all have signed is not kept from people for longer than a seal is tried.
 */
export async function protocolToMail(
  parts: Omit<ReadProtocolParts, "mayOrderProtocol">,
  businessId: string,
  of: ProtocolOf,
  since: Date,
): Promise<Uint8Array | "gone" | "late"> {
  const find = () =>
    parts.read(businessId, async (reading) => {
      const request = await reading.findRequest(of.requestId)
      if (request === null) return null
      const signed = request.signatures.map(({ signedAt }) => signedAt?.getTime() ?? 0)
      const kept = await reading.findNewestProtocol(of, new Date(Math.max(0, ...signed)))
      return { kind: request.kind, ...(kept ?? { pdf: null, waitingFor: null }) }
    })
  const before = await find()
  if (before === null || before.pdf !== null) return before?.pdf ?? "gone"
  // That all have signed is nobody's order: it is not refused for what others have ordered.
  const mayOrderProtocol = () => undefined
  await makeProtocol({ ...parts, mayOrderProtocol }, { businessId, kind: before.kind }, of)
  const after = await find()
  if (after === null || after.pdf !== null) return after?.pdf ?? "gone"
  if (parts.now().getTime() - since.getTime() > LIMITS.sealRetryMs) return "late"
  throw notSealed(after.waitingFor)
}

/** Ordered once, however many wait for it. */
async function makeProtocol(
  parts: ReadProtocolParts,
  { businessId, kind }: { readonly businessId: string; readonly kind: Kind },
  of: ProtocolOf,
): Promise<void> {
  await parts.transact(businessId, async (tx) => {
    if (!(await tx.orderProtocol(of, parts.now()))) return
    // Who is refused has ordered nothing: what was kept before stays.
    parts.mayOrderProtocol()
    await tx.enqueueSealing({ task: "seal-protocol", businessId, ...of }, kind)
  })
  await parts.protocolIsOver(of)
}
