// F01, F02, F08, F17, F18: processes end.
import { renameSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { childrenOf } from "../../../service/children.ts"
import { until } from "../../../service/until.ts"
import type { Member, Role } from "../fleet.ts"
import type { Random } from "../random.ts"
import type { Rig } from "../rig.ts"
import type { Fault } from "./fault.ts"

const POINTS: Readonly<Record<Role, readonly string[]>> = {
  api: ["object-stored", "answer-made"],
  worker: [
    "link-kept",
    "mail-sent",
    "callback-made",
    "intent-kept",
    "value-made",
    "value-kept",
    "blob-stored",
    "mark-applied",
  ],
}

const membersOf = ({ fleet }: Rig, role: Role): readonly Member[] =>
  fleet.members.filter((member) => member.role === role)

/** Until the supervisor has it back; a doomed one dies again at its point, under the load, and comes back once more. */
const isBack = (member: Member, deaths: number) =>
  until(
    `${member.role} ${member.index} is back`,
    () => member.deaths >= deaths && member.process !== undefined,
    120_000,
  )

async function kill(rig: Rig, random: Random, role: Role): Promise<string> {
  const member = random.pick(membersOf(rig, role))
  // One that is just being started cannot be ended, and would be waited for in vain.
  await isBack(member, member.deaths)
  const { deaths } = member
  if (random.next() < 0.5) {
    await rig.fleet.kill(member)
    await isBack(member, deaths + 1)
    return "at any moment"
  }
  const point = random.pick(POINTS[role])
  await rig.fleet.doom(member, point)
  await isBack(member, deaths + 1)
  await Promise.race([isBack(member, deaths + 2), pause(15_000)])
  return member.deaths >= deaths + 2 ? `at ${point}` : `at ${point}, which nobody passed`
}

/** The processes of those who work or answer that these words are in the command of. */
const helpersOf = (rig: Rig, words: string): readonly number[] =>
  rig.fleet.members.flatMap(({ process }) =>
    process === undefined
      ? []
      : childrenOf(process.pid).flatMap(({ pid, command }) => (command.includes(words) ? [pid] : [])),
  )

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
}

async function keysAway(rig: Rig, random: Random): Promise<string> {
  const tokens = join(dirname(rig.env.SOFTHSM2_CONF ?? ""), "tokens")
  const mode = random.pick(["killed", "stopped", "away", "killed again and again"])
  const holders = () => helpersOf(rig, "keys-pkcs11/child")
  switch (mode) {
    case "killed":
      signalAll(holders(), "SIGKILL")
      break
    case "stopped": {
      const stopped = holders()
      signalAll(stopped, "SIGSTOP")
      await pause(random.between(500, 4_000))
      signalAll(stopped, "SIGCONT")
      break
    }
    case "away":
      renameSync(tokens, `${tokens}-away`)
      signalAll(holders(), "SIGKILL")
      await pause(random.between(500, 4_000))
      renameSync(`${tokens}-away`, tokens)
      break
    default:
      for (let times = 0; times < 10; times += 1) {
        signalAll(holders(), "SIGKILL")
        await pause(100)
      }
  }
  return mode
}

async function readersEnd(rig: Rig, random: Random): Promise<string | null> {
  const children = helpersOf(rig, "--permission")
  if (children.length === 0) return null
  const mode = random.pick(["killed", "stopped", "one killed"])
  if (mode === "stopped") {
    signalAll(children, "SIGSTOP")
    await pause(random.between(200, 2_000))
    signalAll(children, "SIGCONT")
  } else signalAll(mode === "killed" ? children : [random.pick(children)], "SIGKILL")
  return mode
}

async function roll(rig: Rig): Promise<string> {
  for (const member of rig.fleet.members) {
    await isBack(member, member.deaths)
    const { deaths } = member
    await rig.fleet.restart(member)
    await isBack(member, deaths + 1)
  }
  return "each after the other"
}

export const processFaults: readonly Fault[] = [
  {
    id: "F01",
    name: "an api process is killed",
    weight: 4,
    inject: (rig, random) => kill(rig, random, "api"),
  },
  { id: "F02", name: "a worker is killed", weight: 6, inject: (rig, random) => kill(rig, random, "worker") },
  { id: "F08", name: "the keys are away", weight: 3, inject: keysAway },
  { id: "F17", name: "the readers of PDFs end", weight: 6, inject: readersEnd },
  { id: "F18", name: "every process is started anew, in turn", weight: 0.5, inject: roll },
]
