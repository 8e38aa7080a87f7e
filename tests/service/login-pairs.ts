import { randomInt } from "node:crypto"
import { VERSIONS, type Version } from "./api.ts"
import { logIn } from "./login.ts"
import type { Service } from "./service.ts"

/** What a login may not tell apart by its time (security, R02). */
export const KINDS = ["wrong key", "expired key", "revoked key"] as const

export type Times = {
  /** Milliseconds of logins under a name that nobody has. */
  readonly unknown: readonly number[]
  /** Those under a name that somebody has, by the kind of the key. */
  readonly known: readonly (readonly number[])[]
}

const WARM_UP = 30

/** One of a name that nobody has, one of a name that somebody has, in an order by lot: both see the same noise. */
export async function refusalTimes(service: Service, pairs: number): Promise<Times> {
  const keys = await keysOf(service)
  const times = { unknown: [] as number[], known: keys.map((): number[] => []) }
  for (let pair = -WARM_UP; pair < pairs; pair += 1) {
    const which = Math.abs(pair) % keys.length
    const v = VERSIONS[Math.abs(Math.floor(pair / keys.length)) % VERSIONS.length] ?? "v2"
    const unknown = () => timed(service.url, v, "acme-integratiom", keys[which] ?? "")
    const known = () => timed(service.url, v, service.username, keys[which] ?? "")
    const first = randomInt(2) === 0
    const [a, b] = first ? [await unknown(), await known()] : [await known(), await unknown()]
    if (pair < 0) continue
    times.unknown.push(first ? a : b)
    times.known[which]?.push(first ? b : a)
  }
  return times
}

/** In the order of KINDS. */
async function keysOf(service: Service): Promise<readonly string[]> {
  const newKey = () => service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
  const [expired, revoked] = [await newKey(), await newKey()]
  await service.sql(`update api_key set expires_at = now() - interval '1 s' where id = '${expired.key}'`)
  await service.paraph("admin", "revoke-key", "--key", revoked.key ?? "")
  const wrong = service.demoKey.replace(/.{8}$/, "AAAAAAAA")
  return [wrong, expired["api-key"] ?? "", revoked["api-key"] ?? ""]
}

async function timed(url: string, v: Version, username: string, apiKey: string): Promise<number> {
  const started = performance.now()
  const { status } = await logIn(url, v, username, apiKey)
  const took = performance.now() - started
  if (status !== 401) throw new Error(`The login answered ${status}.`)
  return took
}

/** Mann and Whitney's U as a normal deviate: ranks, so that one stall of a busy machine does not decide. */
export function rankStatistic(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((ms) => ({ ms, mine: true })), ...b.map((ms) => ({ ms, mine: false }))]
  all.sort((x, y) => x.ms - y.ms)
  const ranks = all.reduce((sum, { mine }, index) => (mine ? sum + index + 1 : sum), 0)
  const [n, m] = [a.length, b.length]
  const u = ranks - (n * (n + 1)) / 2
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}

/** Welch's t of two means. */
export function welch(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [momentsOf(a), momentsOf(b)]
  return (one.mean - other.mean) / Math.sqrt(one.variance / a.length + other.variance / b.length)
}

function momentsOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}
