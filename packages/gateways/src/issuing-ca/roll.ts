// From one generation to the next, well before an end: nobody has to remember the day.

import { IssuingFailed } from "./failed.ts"
import { type Rhythm, refreshLists } from "./lists.ts"
import { makeAuthority, mustBeActive, type Operator, operatorOf } from "./make.ts"
import type { Authority, Kind, Role } from "./records.ts"
import { type Active, type AuthorityWorld, isAlive, newest } from "./world.ts"

export type RollSettings = {
  /** Days before its end at which an issuing authority gets a successor: longer than any certificate of its lives. */
  readonly issuingDays: number
  /** The same for those who answer, and for the service's own certificates. */
  readonly serviceDays: number
}

export type Rolled = { readonly made: readonly string[]; readonly problems: readonly string[] }

const DAY_MS = 86_400_000

/** A root, an issuing authority under it, and all that these need. */
export async function initAuthority(
  world: AuthorityWorld,
  kind: Kind,
  operator: Operator,
  settings: RollSettings,
  now: Date,
  rootRhythm: Rhythm = "daily",
): Promise<Rolled> {
  const rows = await world.records.authorities(kind)
  if (rows.some(({ role, state }) => role === "root" && state === "active"))
    throw new IssuingFailed("another-order", `There is a ${kind} authority already.`)
  const root = await makeAuthority(world, { kind, role: "root", issuer: null, operator }, now)
  const issuer = mustBeActive(world, root)
  const issuing = await makeAuthority(world, { kind, role: "issuing", issuer, operator }, now)
  const rest = await roll(world, kind, settings, now, rootRhythm)
  return { ...rest, made: [root.keyLabel, issuing.keyLabel, ...rest.made] }
}

/**
 * Makes what is due: a new issuing authority where the root's key is at hand, one who answers for each that is alive, the service's
 * certificates, and the lists. What cannot be made here is told; the old ones go on meanwhile.
 */
export async function roll(
  world: AuthorityWorld,
  kind: Kind,
  settings: RollSettings,
  now: Date,
  rootRhythm: Rhythm = "daily",
): Promise<Rolled> {
  const made: string[] = []
  const problems: string[] = []
  const make = async (role: Role, issuer: Active) => {
    const operator = operatorOf(issuer)
    made.push((await makeAuthority(world, { kind, role, issuer, operator }, now)).keyLabel)
  }
  const rows = await world.records.authorities(kind)
  if (!rows.some(({ state }) => state === "active")) return { made, problems }
  const issuing = newest(rows, "issuing", now)
  if (isDue(issuing, settings.issuingDays, now)) {
    const root = await rootAtHand(world, kind, rows, issuing, settings.issuingDays, now)
    if (typeof root === "string") problems.push(root)
    else await make("issuing", root)
  }
  const after = await world.records.authorities(kind)
  for (const row of after.filter((one) => one.role === "issuing" && isAlive(one, now)))
    if (isDue(newest(after, "responder", now, row.id), settings.serviceDays, now, row))
      await make("responder", mustBeActive(world, row))
  const current = newest(after, "issuing", now)
  for (const role of ["service", "report"] as const)
    if (current && isDue(newest(after, role, now), settings.serviceDays, now))
      await make(role, mustBeActive(world, current))
  const missing = await refreshLists(world, kind, now, rootRhythm)
  problems.push(...missing.map((label) => `The key ${label} is not here, and its list is due.`))
  return { made, problems }
}

/** Also where there is none at all; but nothing outlives its issuer, so the last one of that is not due. */
function isDue(row: Authority | undefined, days: number, now: Date, issuer?: Authority): boolean {
  if (row?.notAfter == null) return true
  const isLast = issuer?.notAfter != null && row.notAfter >= issuer.notAfter
  return !isLast && row.notAfter.getTime() - days * DAY_MS <= now.getTime()
}

/** The root that signs the next generation, or why there is none. */
async function rootAtHand(
  world: AuthorityWorld,
  kind: Kind,
  rows: readonly Authority[],
  issuing: Authority | undefined,
  days: number,
  now: Date,
): Promise<Active | string> {
  const end = issuing?.notAfter?.toISOString().slice(0, 10)
  const when = end === undefined ? "has ended" : `ends on ${end}`
  const root = newest(rows, "root", now)
  if (root === undefined)
    return `The ${kind} issuing authority ${when}, and no root of ours is alive: paraph ca request.`
  if (
    issuing &&
    root.notAfter &&
    issuing.notAfter &&
    root.notAfter.getTime() - issuing.notAfter.getTime() < days * DAY_MS
  )
    return `The ${kind} root ends on ${root.notAfter.toISOString().slice(0, 10)}: no authority under it would live longer.`
  if ((await world.keys(kind, "root").publicKey(root.keyLabel)) === null)
    return `The ${kind} issuing authority ${when}, and the root's key is not here: paraph ca roll.`
  return mustBeActive(world, root)
}
