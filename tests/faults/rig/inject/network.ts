// F07, F09, F11, F12, F13, F15, F16: what stands around the service misbehaves, or the way to it.
import { setTimeout as pause } from "node:timers/promises"
import type { Rule } from "@paraph/store/testing/s3-proxy"
import { MOODS } from "../mail.ts"
import type { Weather } from "../proxy.ts"
import type { Random } from "../random.ts"
import { MANNERS } from "../receiver.ts"
import type { Rig } from "../rig.ts"
import type { Fault } from "./fault.ts"

const S3_FAULTS: readonly Rule[] = [
  { fault: "refuse" },
  { fault: "unavailable" },
  { fault: "hang" },
  { fault: "slow", bytesPerSecond: 2_000 },
  { fault: "swallow", method: "PUT" },
  { fault: "cut-request", afterBytes: 500, method: "PUT" },
  { fault: "corrupt-request", method: "PUT" },
  { fault: "cut-response", afterBytes: 300, method: "GET" },
  { fault: "stall-response", afterBytes: 300, method: "GET" },
  { fault: "lose-answer" },
  { fault: "answer-500" },
]

async function storage({ s3 }: Rig, random: Random): Promise<string> {
  const rule = random.pick(S3_FAULTS)
  await s3.misbehave(rule)
  await pause(random.between(500, 3_000))
  await s3.misbehave(null)
  return rule.fault
}

async function stamps({ tsa }: Rig, random: Random): Promise<string> {
  const manner = random.pick(tsa.manners)
  tsa.behave(manner)
  await pause(random.between(500, 3_000))
  tsa.behave("good")
  return manner
}

async function mails({ mail }: Rig, random: Random): Promise<string> {
  const mood = random.pick(MOODS)
  mail.be(mood)
  await pause(random.between(500, 3_000))
  mail.be("good")
  return mood
}

async function callbacks({ receiver, tenants }: Rig, random: Random): Promise<string> {
  const manner = random.pick(MANNERS)
  const { canary } = random.pick(tenants)
  // Of one business: the other one's callbacks go on.
  receiver.behave(manner, (path) => path.includes(canary))
  await pause(random.between(500, 3_000))
  receiver.behave("good", () => true)
  return `${manner}, of one business`
}

async function clock({ moveClock }: Rig, random: Random): Promise<string> {
  const ms = random.pick([-1_000, 1_000, -90_000, 90_000, -3_600_000, 3_600_000, 5 * 86_400_000])
  moveClock(ms)
  await pause(random.between(500, 2_500))
  moveClock(0)
  return `${ms / 1000} s, and back`
}

const EDGES = ["a", "b", "smtp", "trust", "scanner"] as const

async function partition({ edges }: Rig, random: Random): Promise<string> {
  const name = random.pick(EDGES)
  const ways = random.pick(["there", "back", "both"] as const)
  edges[name].change({ type: "silent", ways })
  await pause(random.between(500, 5_000))
  edges[name].change({ type: "fair" })
  // As TCP does after a while: what was held does not come through years later.
  if (random.next() < 0.5) edges[name].cut()
  return `${name}, ${ways}`
}

async function weather({ edges }: Rig, random: Random): Promise<string> {
  const name = random.pick(EDGES)
  const kinds: readonly Weather[] = [
    { type: "late", ms: random.between(10, 400) },
    { type: "thin", bytesPerSecond: 64_000 },
    { type: "closed" },
  ]
  const kind = random.pick(kinds)
  edges[name].change(kind)
  await pause(random.between(500, 3_000))
  edges[name].change({ type: "fair" })
  return `${name}, ${kind.type}`
}

export const networkFaults: readonly Fault[] = [
  { id: "F07", name: "the bucket misbehaves", weight: 5, inject: storage },
  { id: "F09", name: "the time-stamps misbehave", weight: 5, inject: stamps },
  { id: "F11", name: "the mail server misbehaves", weight: 4, inject: mails },
  { id: "F12", name: "a receiver of callbacks misbehaves", weight: 6, inject: callbacks },
  { id: "F13", name: "the clock is wrong", weight: 2, inject: clock },
  { id: "F15", name: "a part cannot be reached", weight: 3, inject: partition },
  { id: "F16", name: "a way is slow, or closed", weight: 3, inject: weather },
]
