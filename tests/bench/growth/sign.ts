// What a signature takes of the processors on each database. Not by the clock: a signature is work, and waits for others who sign.
import type { Stack } from "../../../scripts/stack/stack.ts"
import { startProcess } from "../../service/process.ts"
import { openSessions, signBy, WARMING } from "../paths/sign.ts"
import { type Filled, serve } from "./kept-service.ts"

const ROUNDS = 3

type Told = { readonly all: number; readonly postgres: number }

/** In turn, so that what the machine does meanwhile meets both; the least of three: a neighbour can only add to it. */
export async function compareSigning(
  stack: Stack,
  [one, other]: readonly [Filled, Filled],
  signatures: number,
): Promise<{ readonly here: Told; readonly there: Told }> {
  const here: Told[] = []
  const there: Told[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    here.push(await signOn(stack, one, signatures))
    there.push(await signOn(stack, other, signatures))
  }
  return { here: least(here), there: least(there) }
}

const least = (all: readonly Told[]): Told => all.reduce((a, b) => (b.all < a.all ? b : a))

/** By one worker, which has signed some before. */
async function signOn(stack: Stack, filled: Filled, signatures: number): Promise<Told> {
  const { url, api, caller } = await serve(filled)
  const startWorker = () => startProcess({ ...filled.env, ROLES: "worker" })
  const inviting = await startWorker()
  const sessions = await openSessions({ url, caller }, signatures + WARMING)
  await inviting.stop()
  const pressing = { warming: sessions.slice(0, WARMING), pressed: sessions.slice(WARMING) }
  const service = { env: filled.env, startWorker }
  const { processorMs, spent } = await signBy({ stack }, service, { count: 1, share: null }, pressing)
  await api.stop()
  return { all: processorMs, postgres: spent.database ?? 0 }
}
