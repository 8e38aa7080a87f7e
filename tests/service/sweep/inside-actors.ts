import { memberApi } from "../members.ts"
import { addUser } from "../users.ts"
import { type Actor, ALIVE, bearer, byPerson, byRole, webRules } from "./actors.ts"
import type { CanaryKind, Mode } from "./canaries.ts"
import type { Scene } from "./world.ts"

/** What each user of a business reads: groups, templates and receipts of deletions, and who works there. */
const SHARED: readonly CanaryKind[] = ["group", "template", "member", "deletion receipt"]

/** The owner's own key of that mode knows what is in it. */
const ofMode = (own: Mode) => (_: CanaryKind, mode: Mode) => mode === own

/** Callers of the victim business that the objects were not shared with, or that have fewer rights. */
export async function insideActors({ service, names, production }: Scene): Promise<readonly Actor[]> {
  const kind = "production"
  const inside = { mode: "production", isInsider: true, mayUse: webRules(), alive: ALIVE.token } as const
  const shared = (each: CanaryKind, mode: Mode) => mode === "production" && SHARED.includes(each)
  const demoKey = { ...inside, mayCall: byRole("the owner with a demo key") }
  const actors: Actor[] = [
    {
      ...demoKey,
      name: "the owner's demo key, on production objects",
      headers: bearer(service.caller),
      mayKnow: ofMode("demo"),
    },
    {
      ...{ ...demoKey, name: "the owner's production key, on demo objects", mode: "demo" },
      ...{ headers: bearer(production), mayKnow: ofMode("production") },
    },
  ]
  const colleague = await addUser(service, "colleague", { kind })
  const signer = await addUser(service, names.signer, { kind })
  actors.push(
    {
      ...inside,
      name: "a colleague",
      headers: bearer(colleague),
      mayCall: byRole("a colleague"),
      mayKnow: shared,
    },
    {
      ...inside,
      name: "the signer's API user",
      headers: bearer(signer),
      mayCall: byRole("the signer"),
      mayKnow: shared,
    },
  )
  const reader = await addUser(service, names.reader, { kind })
  const observer = await addUser(service, names.observer, { kind })
  const read = (each: CanaryKind, mode: Mode) =>
    mode === "production" && !["webhook", "validated document", "api key"].includes(each)
  actors.push(
    { ...inside, name: "a reader", headers: bearer(reader), mayCall: byRole("the reader"), mayKnow: read },
    {
      ...inside,
      name: "an observer",
      headers: bearer(observer),
      mayCall: byRole("the observer"),
      mayKnow: read,
    },
  )
  for (const role of ["member", "developer", "admin"] as const) {
    const person = await memberApi(service, role, { kind })
    const knows: readonly CanaryKind[] = [...SHARED, ...(role === "member" ? [] : (["api key"] as const))]
    actors.push({
      ...{ ...inside, name: `a ${role}, in the console`, mayCall: byPerson(role), alive: ALIVE.account },
      headers: { ...bearer(person), cookie: person.cookie },
      own: [person.accountId],
      mayUse: webRules("account", "member"),
      // An admin exports everything, and reads the audit log.
      mayKnow: role === "admin" ? () => true : (each) => knows.includes(each),
    })
  }
  return actors
}
