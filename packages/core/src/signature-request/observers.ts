import type { Caller } from "../access/caller.ts"
import { mustFindGroups } from "../group/find.ts"
import type { Clock, NewId, Read, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { changing } from "./change.ts"
import type { Observer, SignatureRequest } from "./model.ts"
import { readSignatureRequest } from "./read.ts"

/** Decisions, "v3 observers": a person by address or as a member of the business, or a group. */
export type NewObserver =
  | { readonly type: "USER"; readonly email: string }
  | { readonly type: "USER"; readonly userId: string }
  | { readonly type: "GROUP"; readonly groupId: string }

type Changing = { readonly transact: Transact; readonly now: Clock; readonly newId: NewId }
type Reading = { readonly read: Read }

/** Adding twice is one observer: the one that is there is answered. */
export async function addObserver(
  parts: Changing,
  caller: Caller,
  requestId: string,
  wanted: NewObserver,
): Promise<Observer> {
  let of: Observer["of"] | null = null
  const request = await changing(parts, caller, requestId, async ({ kind }, at, tx) => {
    of = await observing(tx, kind, wanted)
    const observer: Observer = { id: parts.newId(), of, invitedAt: at, invitedBy: caller.username }
    return { type: "add-observer", observer, at }
  })
  const key = of === null ? "" : keyOf(of)
  return mustBeThere(request.observers.find((observer) => keyOf(observer.of) === key))
}

async function observing(
  tx: Tx,
  kind: SignatureRequest["kind"],
  wanted: NewObserver,
): Promise<Observer["of"]> {
  if (wanted.type === "GROUP") {
    if (!(await tx.settings()).features.includes("group_observers"))
      throw new Refusal("feature-not-enabled", "Groups as observers are not enabled for this business.")
    const group = (await mustFindGroups(tx, kind, [wanted.groupId])).get(wanted.groupId)
    if (group === undefined) throw new Error("A group that was found is missing.")
    const members = group.members.map(({ email }) => email)
    return { type: "GROUP", groupId: group.id, name: group.name, members }
  }
  if ("email" in wanted) return { type: "USER", email: wanted.email }
  const email = await tx.memberEmail(wanted.userId)
  if (email === null) throw new Refusal("constraint-violated", "There is no such member of your business.")
  return { type: "USER", email }
}

/** As the machine compares them: an address is the same however it is written. */
const keyOf = (of: Observer["of"]): string => (of.type === "USER" ? of.email.toLowerCase() : of.groupId)

export const listObservers = async (
  parts: Reading,
  caller: Caller,
  requestId: string,
): Promise<readonly Observer[]> => (await readSignatureRequest(parts, caller, requestId)).observers

export async function readObserver(
  parts: Reading,
  caller: Caller,
  requestId: string,
  id: string,
): Promise<Observer> {
  const observers = await listObservers(parts, caller, requestId)
  return mustBeThere(observers.find((observer) => observer.id === id))
}

export async function removeObserver(
  parts: Changing,
  caller: Caller,
  requestId: string,
  observerId: string,
): Promise<void> {
  await changing(parts, caller, requestId, async (_, at) => ({ type: "remove-observer", observerId, at }))
}

function mustBeThere(observer: Observer | undefined): Observer {
  if (observer === undefined) throw new Refusal("not-found", "There is no such observer.")
  return observer
}
