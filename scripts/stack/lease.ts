// A stack for as long as somebody uses it: test runs in one folder share it, and the last to leave turns it off.
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import { isAlive, ownProcess, type Running } from "./process.ts"
import { downAlone, type Stack, serviceNames, type UpOptions, upAlone } from "./stack.ts"
import { locked, usersFile } from "./state.ts"

export type Lease = { readonly stack: Stack; release(): Promise<void> }

/** A stack that was started by hand is used as it is, and stays. */
export async function lease(dir: string, options: UpOptions = {}): Promise<Lease> {
  const home = resolve(dir)
  const stack = await locked(home, async () => {
    const users = await liveUsers(home)
    const result = await upAlone(home, options)
    const startedByHand = users === undefined && result.started.length < serviceNames.length
    if (!startedByHand) await writeUsers(home, [...(users ?? []), await ownProcess()])
    return result
  })
  return { stack, release: () => locked(home, () => leave(home)) }
}

async function leave(home: string): Promise<void> {
  const others = (await liveUsers(home))?.filter(({ pid }) => pid !== process.pid)
  if (others === undefined) return
  if (others.length === 0) await downAlone(home, false)
  else await writeUsers(home, others)
}

/** A run that was killed does not sign off, so only those whose process still lives count. */
async function liveUsers(home: string): Promise<readonly Running[] | undefined> {
  const text = await readFile(usersFile(home), "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  const users = JSON.parse(text) as readonly Running[]
  const alive = await Promise.all(users.map(isAlive))
  return users.filter((_, index) => alive[index])
}

function writeUsers(home: string, users: readonly Running[]): Promise<void> {
  return writePrivate(usersFile(home), JSON.stringify(users))
}
