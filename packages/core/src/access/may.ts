import type { Role } from "../business/model.ts"
import { Refusal } from "../refusal.ts"
import { addressesOf, type Kind, type SignatureRequest } from "../signature-request/model.ts"
import type { Caller } from "./caller.ts"
import { namesInclude } from "./user-name.ts"

/** What the access rules look at: documents and requests alike. */
export type Guarded = {
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
}

/**
 * Deny by default. Nobody is told whether a thing that they may not read exists: the answer is the same 404
 * as for an id that does not (DOC-13). A demo key sees what demo keys made, a production key the rest (choice 3).
 */
export function mustRead<T extends Guarded>(caller: Caller, thing: T | null): T {
  if (thing === null || !mayRead(caller, thing)) throw new Refusal("not-found", "There is no such object.")
  return thing
}

export function mustWrite<T extends Guarded>(caller: Caller, thing: T | null): T {
  const readable = mustRead(caller, thing)
  if (!mayWrite(caller, readable)) throw readOnly()
  return readable
}

const readOnly = () => new Refusal("write-access-needed", "You may read this, not change it.")

const sameHouse = (caller: Caller, thing: Guarded): boolean =>
  caller.businessId === thing.businessId && caller.kind === thing.kind

export const mayWrite = (caller: Caller, thing: Guarded): boolean =>
  sameHouse(caller, thing) &&
  (caller.userId === thing.ownerId || namesInclude(thing.writeAccess, caller.username))

export const mayRead = (caller: Caller, thing: Guarded): boolean =>
  mayWrite(caller, thing) || (sameHouse(caller, thing) && namesInclude(thing.readAccess, caller.username))

/** Observers read a request, and nothing more (decisions, "v3 observers"). */
export const mayReadRequest = (caller: Caller, request: SignatureRequest): boolean =>
  mayRead(caller, request) ||
  (sameHouse(caller, request) && namesInclude(observersOf(request), caller.username))

export function mustReadRequest(caller: Caller, request: SignatureRequest | null): SignatureRequest {
  if (request === null || !mayReadRequest(caller, request))
    throw new Refusal("not-found", "There is no such object.")
  return request
}

/** Who observes may read, so that they are told why they may not change it. */
export function mustWriteRequest(caller: Caller, request: SignatureRequest | null): SignatureRequest {
  const readable = mustReadRequest(caller, request)
  if (!mayWrite(caller, readable)) throw readOnly()
  return readable
}

export const observersOf = (request: SignatureRequest): readonly string[] => addressesOf(request.observers)

/**
 * Decisions, "roles": what a business manages is for people, each by the role that they have in it. A key has none, whoever
 * made it: one that leaks makes no other keys.
 */
export function mustHaveRole(caller: Caller, roles: readonly Role[]): Role {
  const { role } = caller
  if (role !== undefined && roles.includes(role)) return role
  throw new Refusal("role-needed", `Only people of the business can do this, as ${oneOf(roles)}.`)
}

const oneOf = (roles: readonly Role[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(roles)
