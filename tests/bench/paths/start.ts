// From typing `paraph sandbox` to its first answer, once installed. Nothing stands beside it but the promise.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { until } from "../../service/until.ts"
import type { Bench } from "../harness/bench.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"

const PARAPH = resolve(import.meta.dirname, "../../../apps/cli/src/main.ts")
const PROMISED_SECONDS = 5

export async function start(_: Bench, { rounds }: { rounds: number }): Promise<Figure> {
  const seconds: number[] = []
  // The first one may compile what the others find compiled.
  for (let n = 0; n <= rounds; n += 1) seconds.push(await startOnce())
  return atMost(1, {
    path: "cold start of `paraph sandbox`",
    unit: "s to the first answer",
    ours: median(seconds.slice(1)),
    bare: PROMISED_SECONDS,
    beside: "what was set out",
  })
}

async function startOnce(): Promise<number> {
  const begun = performance.now()
  const sandbox = spawn(process.execPath, [PARAPH, "sandbox", "--ci", "--json"], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  try {
    const [line] = (await once(createInterface(sandbox.stdout), "line")) as [string]
    const { url } = JSON.parse(line) as { readonly url: string }
    await until("it answers", async () => (await fetch(`${url}/management/health`)).status === 200)
    return (performance.now() - begun) / 1000
  } finally {
    const ended = once(sandbox, "exit")
    sandbox.kill("SIGTERM")
    await ended
  }
}
