import { userInfo } from "node:os"
import type { AgreedSettings } from "@paraph/core/business/settings"
import { isUuid } from "@paraph/core/uuid"
import type { Config } from "@paraph/server/config"
import type { Randomness } from "@paraph/server/randomness"
import { findAccount, isOperator } from "@paraph/store/postgres/accounts"
import { type Actor, type AuditEntry, appendAudit } from "@paraph/store/postgres/audit-log"
import type { Trx } from "@paraph/store/postgres/database"
import { lockSettings } from "@paraph/store/postgres/settings"
import { NotUnderstood } from "./not-understood.ts"

/** What every act has at hand: one transaction for what it does and for the record of it. */
export type Desk = {
  readonly trx: Trx
  readonly config: Config
  readonly now: Date
  readonly randomness: Randomness
  readonly by: Actor
  /** Writes one row of the audit log. */
  readonly record: (entry: Omit<AuditEntry, "at" | "by">) => Promise<void>
}

export type Options = Readonly<Record<string, string | boolean | undefined>>

export type Act = {
  /** Its options, as people type them; --as goes with every one. */
  readonly usage: string
  readonly about: string
  /** First what was typed is understood, all of it; only then is a database asked. */
  readonly read: (options: Options) => (desk: Desk) => Promise<object>
}

export async function deskAt(
  given: Pick<Desk, "trx" | "config" | "now" | "randomness">,
  as: string | undefined,
): Promise<Desk> {
  const { trx, now } = given
  const by: Actor = { person: as === undefined ? null : await operatorOf(trx, as), shellUser: shellUser() }
  return { ...given, by, record: (entry) => appendAudit(trx, { at: now, by, ...entry }) }
}

async function operatorOf(trx: Trx, email: string): Promise<string> {
  const account = await findAccount(trx, email)
  if (account === null || !(await isOperator(trx, email)))
    throw new NotUnderstood(`${email} is no operator here.`)
  return account.email
}

/** In a container the user may have a number and no name. */
export function shellUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`
  }
}

export function given(options: Options, name: string): string {
  const value = optional(options, name)
  if (value === undefined) throw new NotUnderstood(`--${name} is needed.`)
  return value
}

export function optional(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === "string" ? value.trim() || undefined : undefined
}

/** PostgreSQL would say the same of an id that is none, but not in words. */
export function givenId(options: Options, name: string): string {
  const value = given(options, name)
  if (!isUuid(value)) throw new NotUnderstood(`--${name} is no id.`)
  return value.toLowerCase()
}

export function oneOf<T extends string>(options: Options, name: string, values: readonly T[]): T {
  const value = given(options, name)
  const known = values.find((one) => one === value)
  if (known === undefined) throw new NotUnderstood(`--${name} is ${asList(values)}.`)
  return known
}

const asList = (values: readonly string[]): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`

export function wholeNumber(text: string, name: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new NotUnderstood(`--${name} is 1 to ${most}.`)
  return value
}

export async function findBusiness({ trx }: Desk, id: string): Promise<AgreedSettings> {
  const settings = await lockSettings(trx, id)
  if (settings === null) throw new NotUnderstood("There is no such business.")
  return settings
}
