import { randomInt } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { VERSIONS, type Version } from "../service/api.ts"
import { logIn } from "../service/login.ts"
import { type Service, startService } from "../service/service.ts"

const PAIRS = 2_100
const WARM_UP = 30
/** Security, R02. By chance alone a statistic of this size comes once in 150,000 runs. */
const SUSPICIOUS = 4.5

let service: Service
beforeAll(async () => {
  const env = { LOGINS_PER_USER: "1000000", LOGINS_PER_ADDRESS: "1000000" }
  service = await startService({ worker: false, env })
})
afterAll(() => service?.close())

it("[AUTH-06] wrong user name, wrong key, expired key and revoked key are refused in the same time", async () => {
  const newKey = () => service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
  const [expired, revoked] = [await newKey(), await newKey()]
  await service.sql(`update api_key set expires_at = now() - interval '1 s' where id = '${expired.key}'`)
  await service.paraph("admin", "revoke-key", "--key", revoked.key ?? "")
  const wrong = service.demoKey.replace(/.{8}$/, "AAAAAAAA")
  const keys = [wrong, expired["api-key"] ?? "", revoked["api-key"] ?? ""]
  const times = { unknown: [] as number[], known: keys.map((): number[] => []) }
  // One of a name that nobody has, one of a name that somebody has, in an order by lot: both see the same noise.
  for (let pair = -WARM_UP; pair < PAIRS; pair += 1) {
    const which = Math.abs(pair) % keys.length
    const v = VERSIONS[Math.abs(Math.floor(pair / keys.length)) % VERSIONS.length] ?? "v2"
    const unknown = () => timed(v, "acme-integratiom", keys[which] ?? "")
    const known = () => timed(v, service.username, keys[which] ?? "")
    const first = randomInt(2) === 0
    const [a, b] = first ? [await unknown(), await known()] : [await known(), await unknown()]
    if (pair < 0) continue
    times.unknown.push(first ? a : b)
    times.known[which]?.push(first ? b : a)
  }
  const statistics = [times.known.flat(), ...times.known].map((known) => rankStatistic(times.unknown, known))
  for (const z of statistics) expect(Math.abs(z), statistics.join(" ")).toBeLessThan(SUSPICIOUS)
  // And it would have been seen: the same times, a tenth longer.
  const slower = times.known.flat().map((ms) => ms * 1.1)
  expect(Math.abs(rankStatistic(times.unknown, slower))).toBeGreaterThan(SUSPICIOUS)
}, 300_000)

async function timed(v: Version, username: string, apiKey: string): Promise<number> {
  const started = performance.now()
  const { status } = await logIn(service.url, v, username, apiKey)
  const took = performance.now() - started
  if (status !== 401) throw new Error(`The login answered ${status}.`)
  return took
}

/** Mann and Whitney's U as a normal deviate: ranks, so that one stall of a busy machine does not decide. */
function rankStatistic(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((ms) => ({ ms, mine: true })), ...b.map((ms) => ({ ms, mine: false }))]
  all.sort((x, y) => x.ms - y.ms)
  const ranks = all.reduce((sum, { mine }, index) => (mine ? sum + index + 1 : sum), 0)
  const [n, m] = [a.length, b.length]
  const u = ranks - (n * (n + 1)) / 2
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}
