// Starts the mailbox (mailbox.ts) as a process of its own.
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { comesTrue, isAlive, launch, portAgain, stop } from "./process.ts"
import type { Service } from "./state.ts"

export async function startMailbox(dir: string, earlier?: Service): Promise<Service> {
  const folder = join(dir, "mailbox")
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const logFile = join(dir, "log", "mailbox.log")
  const port = await portAgain(earlier?.port)
  const httpPort = await portAgain(earlier?.httpPort)

  const program = join(import.meta.dirname, "../../apps/cli/src/sandbox/mailbox-main.ts")
  const running = await launch({
    command: process.execPath,
    args: [program, String(port), String(httpPort), join(folder, "mails.jsonl")],
    logFile,
  })
  const decided = async () => (await mailboxAnswers(httpPort)) || !(await isAlive(running))
  await comesTrue(decided, 20_000)
  if (!(await mailboxAnswers(httpPort))) {
    await stop(running)
    throw new Error(`The mailbox does not start; see ${logFile}`)
  }
  return { port, httpPort, process: running }
}

/** Its web page opens only after its SMTP port does, so the page answering means that both do. */
export async function mailboxAnswers(httpPort: number): Promise<boolean> {
  const asked = fetch(mailboxUrl(httpPort), { signal: AbortSignal.timeout(2_000) })
  return asked.then(
    (answer) => answer.ok,
    () => false,
  )
}

export function mailboxUrl(httpPort: number): string {
  return `http://127.0.0.1:${httpPort}`
}
