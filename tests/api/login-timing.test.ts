import { afterAll, beforeAll, expect, it } from "vitest"
import { rankStatistic, refusalTimes } from "../service/login-pairs.ts"
import { type Service, startService } from "../service/service.ts"

/** `npm run timing` takes 20,000 pairs, by hand. */
const PAIRS = 2_100
/** Security, R02. By chance alone a statistic of this size comes once in 150,000 runs. */
const SUSPICIOUS = 4.5

let service: Service
beforeAll(async () => {
  const env = { LOGINS_PER_USER: "1000000", LOGINS_PER_ADDRESS: "1000000" }
  service = await startService({ worker: false, env })
})
afterAll(() => service?.close())

it("[R02] [AUTH-06] wrong user name, wrong key, expired key and revoked key are refused in the same time", async () => {
  const { unknown, known } = await refusalTimes(service, PAIRS)
  const statistics = [known.flat(), ...known].map((each) => rankStatistic(unknown, each))
  for (const z of statistics) expect(Math.abs(z), statistics.join(" ")).toBeLessThan(SUSPICIOUS)
  // And it would have been seen: the same times, a tenth longer.
  const slower = known.flat().map((ms) => ms * 1.1)
  expect(Math.abs(rankStatistic(unknown, slower))).toBeGreaterThan(SUSPICIOUS)
}, 300_000)
