import { identify } from "../identification/step.ts"
import { Refusal } from "../refusal.ts"
import type { Event, EventOf, Step } from "./event.ts"
import { type SignatureRequest, type Status, statusOf } from "./model.ts"
import { expire, renew, warnOfExpiry, withdraw } from "./steps/ending.ts"
import { endTurn, keepValues, logIn, offerRelease, release, takeTurn } from "./steps/releasing.ts"
import { addGroup, addSigner, removeSigner, replaceSigners, start, vouch } from "./steps/signers.ts"
import { bounce, consent, decline, fail, mark, open, remind, wait } from "./steps/signing.ts"
import {
  addDocument,
  addObserver,
  attach,
  detach,
  removeDocument,
  removeObserver,
  update,
} from "./steps/terms.ts"

type Row<T extends Event["type"]> = {
  readonly from: readonly Status[]
  readonly step: (request: SignatureRequest, event: EventOf<T>) => Step
}

const DRAFT = ["DRAFT"] as const
const OPEN = ["OPEN"] as const
const ALIVE = ["DRAFT", "OPEN"] as const

/**
 * Part 3.1, row by row: what may happen in which status, and the step that it is. The status after it follows from the
 * signatures and the lifecycle (`statusOf`). Whatever is not here is refused: SIGNED, DECLINED, ERROR, EXPIRED and WITHDRAWN
 * are terminal, and only deletion is left to them, and renewal to what is signed.
 */
const MACHINE: { readonly [T in Event["type"]]: Row<T> } = {
  start: { from: DRAFT, step: start },
  identify: { from: OPEN, step: identify },
  consent: { from: OPEN, step: consent },
  "take-turn": { from: OPEN, step: takeTurn },
  "log-in": { from: OPEN, step: logIn },
  "offer-release": { from: OPEN, step: offerRelease },
  release: { from: OPEN, step: release },
  "keep-values": { from: OPEN, step: keepValues },
  "end-turn": { from: OPEN, step: endTurn },
  mark: { from: OPEN, step: mark },
  decline: { from: OPEN, step: decline },
  wait: { from: OPEN, step: wait },
  fail: { from: OPEN, step: fail },
  expire: { from: OPEN, step: expire },
  withdraw: { from: OPEN, step: withdraw },
  // What is signed stays signed: only its last time-stamp grows old.
  renew: { from: ["SIGNED"], step: renew },
  update: { from: ALIVE, step: update },
  "add-signer": { from: ALIVE, step: addSigner },
  "add-group": { from: ALIVE, step: addGroup },
  "remove-signer": { from: ALIVE, step: removeSigner },
  "replace-signers": { from: ALIVE, step: replaceSigners },
  vouch: { from: ALIVE, step: vouch },
  "add-document": { from: DRAFT, step: addDocument },
  "remove-document": { from: DRAFT, step: removeDocument },
  "add-observer": { from: ALIVE, step: addObserver },
  "remove-observer": { from: ALIVE, step: removeObserver },
  attach: { from: ALIVE, step: attach },
  detach: { from: ALIVE, step: detach },
  remind: { from: OPEN, step: remind },
  open: { from: OPEN, step: open },
  "mail-bounced": { from: OPEN, step: bounce },
  "warn-of-expiry": { from: OPEN, step: warnOfExpiry },
}

/** Part 3 of the interface. Pure: no clock, no store, no mail. Nothing else changes a status. */
export function transition<T extends Event["type"]>(request: SignatureRequest, event: EventOf<T>): Step
export function transition(request: SignatureRequest, event: Event): Step
export function transition<T extends Event["type"]>(request: SignatureRequest, event: EventOf<T>): Step {
  const row: Row<T> = MACHINE[event.type as T]
  const status = statusOf(request)
  if (!row.from.includes(status)) throw new Refusal("request-not-open", `The request is ${status}.`)
  return row.step(request, event)
}
