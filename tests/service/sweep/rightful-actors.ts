import { operatorOf } from "../account.ts"
import { memberApi } from "../members.ts"
import { newAddress } from "../requests.ts"
import { type Actor, bearer, nothing } from "./actors.ts"
import type { Scene } from "./world.ts"

/**
 * The owner of the objects by key and in the console, and an operator. To the oracle they are strangers like the others, so each of
 * their good answers has to be reported: what it does not report of them, it would not report of an attacker either.
 */
export async function rightfulActors({ service, production }: Scene): Promise<readonly Actor[]> {
  const none = {
    mode: "production",
    isOracleTest: true,
    isInsider: false,
    alive: null,
    mayCall: nothing,
    mayUse: nothing,
    mayKnow: nothing,
  } as const
  const owner = await memberApi(service, "owner", { kind: "production" })
  const { operator } = await operatorOf(service, newAddress("operator"))
  const cookie = Array.from(operator.cookies, ([name, value]) => `${name}=${value}`).join("; ")
  return [
    { ...none, name: "the owner's production key", headers: bearer(production) },
    { ...none, name: "the owner in the console", headers: { ...bearer(owner), cookie: owner.cookie } },
    { ...none, name: "an operator", headers: { cookie } },
  ]
}
