import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stop } from "../../scripts/stack/process.ts"
import { down, up } from "../../scripts/stack/stack.ts"
import type { ServiceName } from "../../scripts/stack/state.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { linkIn, type ReceivedMail } from "../service/mailbox.ts"
import { until } from "../service/until.ts"

/** A stack that one test file has for itself, and whose parts it may take away. */
export type OwnStack = {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  /** Ends one part with this signal; resolves when it is gone. */
  readonly take: (part: ServiceName, signal: NodeJS.Signals) => Promise<void>
  /** A signal that ends nothing: SIGSTOP, SIGCONT. */
  readonly signal: (part: ServiceName, signal: NodeJS.Signals) => void
  /** Starts what is not running, under the same settings. */
  readonly restore: () => Promise<void>
  readonly linkMailedTo: (address: string) => Promise<string>
  readonly close: () => Promise<void>
}

export async function startOwnStack(): Promise<OwnStack> {
  const parent = await mkdtemp(join(tmpdir(), "paraph-faults-"))
  const dir = join(parent, "stack")
  // Not `fast`: PostgreSQL would acknowledge what it has only in memory, and a kill would rightly lose it.
  let stack = await up(dir)
  await makeTemplate(stack)
  const { env } = stack
  const mailsTo = async (address: string) => {
    const answer = await fetch(`${env.MAILBOX_URL}/mails.json?to=${encodeURIComponent(address)}`)
    return (await answer.json()) as ReceivedMail[]
  }
  return {
    dir,
    env,
    take: (part, signal) => stop(stack.services[part].process, signal),
    signal: (part, signal) => void process.kill(stack.services[part].process.pid, signal),
    restore: async () => {
      stack = await up(dir)
    },
    linkMailedTo: (address) =>
      until(`a mail comes to ${address}`, async () => linkIn((await mailsTo(address)).at(-1))),
    close: async () => {
      await down(dir, { purge: true })
      await rm(parent, { recursive: true })
    },
  }
}
