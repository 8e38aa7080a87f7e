// Two processes that answer calls and two that work; whoever of them ends is started again, as a supervisor does.
import type { ServerProcess } from "../../service/process.ts"

export type Role = "api" | "worker"

export type Member = {
  readonly role: Role
  readonly index: number
  /** Undefined while it is started. */
  process: ServerProcess | undefined
  deaths: number
}

export type Fleet = {
  readonly members: readonly Member[]
  /** Those who answer calls just now, by their ports. */
  readonly ports: () => readonly number[]
  /** The next start of this one has this fault point, once. */
  readonly doom: (member: Member, point: string) => Promise<void>
  readonly kill: (member: Member) => Promise<void>
  /** Asks it to end in order, as an upgrade does. */
  readonly restart: (member: Member) => Promise<void>
  readonly allUp: () => boolean
  /** Everything that any of them has ever written. */
  readonly logs: () => string
  readonly stop: () => Promise<void>
}

export type Start = (role: Role, index: number, more: Record<string, string>) => Promise<ServerProcess>

export async function startFleet(start: Start, ports: readonly number[]): Promise<Fleet> {
  let isStopping = false
  const past: string[] = []
  const dooms = new Map<Member, string>()
  const members: Member[] = (["api", "api", "worker", "worker"] as const).map((role, at) => ({
    role,
    index: at % 2,
    process: undefined,
    deaths: 0,
  }))
  const raise = async (member: Member): Promise<void> => {
    const point = dooms.get(member)
    dooms.delete(member)
    const more = point === undefined ? {} : { FAULT_POINT: point }
    // With a part away it may end while it starts; a supervisor tries again.
    const started = await start(member.role, member.index, more).catch(() => undefined)
    if (started === undefined) {
      if (!isStopping) setTimeout(() => void raise(member), 500)
      return
    }
    member.process = started
    void started.died.then(() => {
      past.push(started.log())
      member.process = undefined
      member.deaths += 1
      if (!isStopping) void raise(member)
    })
  }
  await Promise.all(members.map(raise))
  const end = async (member: Member, how: "kill" | "stop") => {
    await member.process?.[how]()
  }
  return {
    members,
    ports: () =>
      members.flatMap(({ role, index, process }) => (role === "api" && process ? (ports[index] ?? []) : [])),
    doom: async (member, point) => {
      dooms.set(member, point)
      await end(member, "kill")
    },
    kill: (member) => end(member, "kill"),
    restart: (member) => end(member, "stop"),
    allUp: () => members.every(({ process }) => process !== undefined),
    logs: () => [...past, ...members.map(({ process }) => process?.log() ?? "")].join("\n"),
    stop: async () => {
      isStopping = true
      await Promise.all(members.map((member) => end(member, "kill")))
    },
  }
}
