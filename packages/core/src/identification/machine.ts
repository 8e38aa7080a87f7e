import { LIMITS } from "../limits.ts"
import { Refusal } from "../refusal.ts"
import { type Identification, type IdentificationReason, identificationStatus } from "./model.ts"

/** What can happen to an identification. What a provider says belongs to the attempt for which it was asked. */
export type IdentificationEvent =
  /** The person goes to the provider, for the first time or again. */
  | { readonly type: "begin" }
  /** The person is back, and the provider knows whom to tell of. */
  | { readonly type: "return"; readonly attempt: number; readonly browserHash: string | null }
  | {
      readonly type: "pend"
      readonly attempt: number
      readonly reason: Pending
      readonly name: string | null
      /** When the provider is asked again, where it is the one who reviews. */
      readonly askAt: Date | null
    }
  | { readonly type: "accept"; readonly attempt: number; readonly name: string }
  | {
      readonly type: "reject"
      readonly attempt: number
      readonly reason: Exclude<IdentificationReason, Pending | "sender-refused">
    }
  /** Whoever asked for the signature says whether it is the person that was meant. */
  | { readonly type: "review"; readonly isThePerson: boolean }

export type Pending = "provider-reviews" | "name-differs" | "country-differs"

/** Pure. Gives back the very same value where nothing changes: an answer that comes late, twice, or for another attempt. */
export function identificationStep(
  known: Identification,
  event: IdentificationEvent,
  at: Date,
): Identification {
  if (event.type === "begin") return begun(known, at)
  if (event.type === "review") return reviewed(known, event.isThePerson, at)
  if (event.attempt !== known.attempt || identificationStatus(known, at) === "EXPIRED") return known
  if (event.type === "return") return returned(known, event.browserHash, at)
  if (!waitsForProvider(known)) return known
  switch (event.type) {
    case "pend":
      return pending(known, event, at)
    // Only whoever came back has been seen by the provider.
    case "accept":
      return known.returnedAt === null ? known : accepted({ ...known, name: event.name }, at)
    case "reject":
      return rejected(known, event.reason, at)
  }
}

/** An accepted one is not paid for twice, and one that is being looked at not either. */
function begun(known: Identification, at: Date): Identification {
  const status = identificationStatus(known, at)
  const isUnderWay = known.returnedAt !== null && status === "STARTED"
  if (status === "ACCEPTED" || status === "PENDING_REVIEW" || isUnderWay)
    throw new Refusal("identification-not-open", "The identification is under way, or done.")
  if (known.attempt >= LIMITS.identificationAttempts)
    throw new Refusal("identification-not-open", "The identification was begun too often.")
  return {
    ...known,
    state: "STARTED",
    attempt: known.attempt + 1,
    startedAt: at,
    returnedAt: null,
    decidedAt: null,
    until: after(at, LIMITS.identificationWayMs),
    askAt: null,
    reason: null,
    name: null,
    browserHash: null,
  }
}

const returned = (known: Identification, browserHash: string | null, at: Date): Identification =>
  known.state === "STARTED" && known.returnedAt === null
    ? { ...known, browserHash, returnedAt: at, until: after(at, LIMITS.identificationWayMs) }
    : known

const waitsForProvider = ({ state, reason }: Identification): boolean =>
  state === "STARTED" || (state === "PENDING_REVIEW" && reason === "provider-reviews")

function pending(
  known: Identification,
  { reason, name, askAt }: Extract<IdentificationEvent, { type: "pend" }>,
  at: Date,
): Identification {
  if (known.returnedAt === null) return known
  const isStill = known.state === "PENDING_REVIEW" && known.reason === reason
  const until = isStill ? known.until : after(at, LIMITS.identificationReviewMs)
  return { ...known, state: "PENDING_REVIEW", reason, name, askAt, until }
}

const accepted = (known: Identification, at: Date): Identification => ({
  ...known,
  state: "ACCEPTED",
  reason: null,
  askAt: null,
  decidedAt: at,
  until: after(at, LIMITS.identificationValidMs),
})

const rejected = (known: Identification, reason: IdentificationReason, at: Date): Identification => ({
  ...known,
  state: "REJECTED",
  reason,
  askAt: null,
  decidedAt: at,
  until: null,
})

function reviewed(known: Identification, isThePerson: boolean, at: Date): Identification {
  const waits = identificationStatus(known, at) === "PENDING_REVIEW" && known.reason !== "provider-reviews"
  if (!waits) throw new Refusal("identification-not-open", "Nothing waits for a review of yours.")
  return isThePerson ? accepted(known, at) : rejected(known, "sender-refused", at)
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
