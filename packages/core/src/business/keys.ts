import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import type { Clock, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Kind } from "../signature-request/model.ts"
import type { ApiKey } from "./api-key.ts"
import {
  type Acting,
  endKey,
  found,
  type KeyParts,
  type MadeKey,
  makeKey,
  mustHaveRoom,
  replaceKey,
} from "./make-keys.ts"
import { managing } from "./managing.ts"
import { DEVELOPERS } from "./model.ts"
import type { KeysTx, KeyUser } from "./ports.ts"
import type { AgreedSettings } from "./settings.ts"

type Parts = KeyParts & { readonly transact: Transact; readonly now: Clock }

export type CreateKey = {
  readonly name: string
  readonly kind: Kind
  /** An API user of the business; null: one of the key's own. */
  readonly username: string | null
}

/** REG-03. A user of its own owns what is made with the key, so that two integrations do not see each other's documents. */
export function createKey(parts: Parts, caller: Caller, wanted: CreateKey): Promise<MadeKey> {
  const { name, kind, username } = wanted
  mustHaveRole(caller, DEVELOPERS)
  mustSaySomething(name)
  return developing(parts, caller, async (tx, { keyLifetimeDays: days }) => {
    const acting = { at: parts.now(), by: caller.username }
    await mustHaveRoom(tx, acting.at)
    const user = username === null ? await newUser(tx, parts, acting, name) : await userOf(tx, username)
    return makeKey(tx, parts, acting, { user, kind, name, days })
  })
}

/** With the role of this very moment, whoever took it away. */
const developing = <T>(
  parts: Parts,
  caller: Caller,
  work: (tx: Tx, settings: AgreedSettings) => Promise<T>,
): Promise<T> =>
  managing(parts, caller, (tx, acting, settings) => {
    mustHaveRole(acting, DEVELOPERS)
    return work(tx, settings)
  })

function mustSaySomething(name: string): void {
  if (name.trim() === "") throw new Refusal("constraint-violated", "The name is blank.")
}

/** Nobody is told whether another business has a user of that name. */
async function userOf(tx: KeysTx, username: string): Promise<KeyUser> {
  const user = await tx.findKeyUser(username)
  if (user === null) throw new Refusal("not-found", "There is no such API user.")
  return user
}

/** Named after the key, so that people know it again in an access list; the rest is so that nobody else has the name. */
async function newUser(tx: KeysTx, parts: KeyParts, { at, by }: Acting, name: string): Promise<KeyUser> {
  const id = parts.newId()
  const readable = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 30)
    .replace(/^-|-$/g, "")
  const username = `${readable === "" ? "api" : readable}-${id.slice(0, 8)}`
  await tx.insertKeyUser({ id, username }, at)
  await tx.appendAudit({ at, by, act: "create-user", target: `user ${username}` })
  return { id, username }
}

export function resetKey(parts: Parts, caller: Caller, id: string) {
  mustHaveRole(caller, DEVELOPERS)
  return developing(parts, caller, (tx, { keyLifetimeDays: days }) =>
    replaceKey(tx, parts, { at: parts.now(), by: caller.username }, { id, days }),
  )
}

export async function revokeKey(parts: Parts, caller: Caller, id: string): Promise<void> {
  mustHaveRole(caller, DEVELOPERS)
  await developing(parts, caller, (tx) => endKey(tx, { at: parts.now(), by: caller.username }, id))
}

export function renameKey(parts: Parts, caller: Caller, id: string, name: string): Promise<ApiKey> {
  mustHaveRole(caller, DEVELOPERS)
  mustSaySomething(name)
  return developing(parts, caller, async (tx) => {
    const key = found(await tx.lockKey(id))
    if (key.name === name) return key
    await tx.renameKey(id, name)
    const change = { before: { name: key.name }, after: { name } }
    const acting = { at: parts.now(), by: caller.username }
    await tx.appendAudit({ ...acting, act: "rename-key", target: `key ${key.id}`, ...change })
    return { ...key, name }
  })
}
