import { registered } from "../account.ts"
import { linkMailedTo } from "../mailbox.ts"
import { memberApi } from "../members.ts"
import { newAddress, sentTo } from "../requests.ts"
import { addBusiness, addUser } from "../users.ts"
import { enter } from "../visitor.ts"
import {
  type Actor,
  ALIVE,
  bearer,
  byForeignPerson,
  byRole,
  nothing,
  webRules,
  withoutToken,
} from "./actors.ts"
import { signerHeaders } from "./signing-actors.ts"
import type { Scene } from "./world.ts"

/** Callers of other businesses, and callers of none. */
export async function foreignActors({ service }: Scene): Promise<readonly Actor[]> {
  const { url } = service
  const business = await addBusiness(service, "Other AG")
  const kind = "production"
  const [key, demo] = [
    await addUser(service, "other-integration", { business, kind }),
    await addUser(service, "other-demo", { business }),
  ]
  const person = await memberApi(service, "owner", { business, kind })
  const outside = { mode: "production", isInsider: false, mayKnow: nothing, own: [business] } as const
  const byKey = { ...outside, mayCall: byRole("another business"), mayUse: webRules(), alive: ALIVE.token }
  const email = newAddress("loner")
  const loner = await registered(url, email)
  const cookie = [...loner.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const signerEmail = newAddress("foreign-signer")
  await sentTo(key, "v3", [signerEmail])
  const signer = await enter(service, await linkMailedTo(signerEmail))
  return [
    { ...byKey, name: "another business's production key", headers: bearer(key) },
    { ...byKey, name: "another business's demo key", headers: bearer(demo) },
    { ...byKey, name: "another business's demo key, on demo objects", headers: bearer(demo), mode: "demo" },
    {
      ...{ ...outside, name: "another business's owner, in the console" },
      own: [business, person.accountId],
      ...{ headers: { ...bearer(person), cookie: person.cookie }, alive: ALIVE.account },
      ...{ mayCall: byForeignPerson, mayUse: webRules("account") },
    },
    {
      ...{ ...outside, name: "a person without membership", headers: { cookie }, alive: ALIVE.account },
      own: [await service.sql(`select id from account where email = '${email}'`)],
      ...{ mayCall: withoutToken, mayUse: webRules("account") },
    },
    {
      ...{
        ...outside,
        name: "the signer of another business's request",
        headers: await signerHeaders(signer),
      },
      ...{ mayCall: withoutToken, mayUse: webRules("signer"), alive: ALIVE.signer },
      own: [business, signerEmail],
    },
    {
      ...{ ...outside, name: "an anonymous caller", headers: {}, alive: null },
      ...{ mayCall: withoutToken, mayUse: webRules() },
    },
  ]
}
