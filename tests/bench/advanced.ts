// People who sign with keys of their own, as the pages do it: the press, the passkey, and the stream that tells when it is done.
import { createApi } from "../service/api.ts"
import { linkIn, mailsTo } from "../service/mailbox.ts"
import { type PasskeyHolder, passkeyHolder, releaseWith } from "../service/release.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { until } from "../service/until.ts"
import { enter, listen, signAs, type Visitor } from "../service/visitor.ts"
import { type Spent, startWatch } from "./fastest.ts"
import { processorTimes } from "./processor-time.ts"

/** Each with a page of theirs open at a time: a passkey counts its uses, and one person presses one button. */
const PEOPLE = 12
const PREPARED_AT_ONCE = 4

export type ReadyToSign = { readonly holder: PasskeyHolder; readonly visitors: Visitor[] }

/** People with a passkey each, who have so many production requests to sign between them, open on a page each. */
export async function prepareSigners(service: Service, count: number): Promise<readonly ReadyToSign[]> {
  const production = await createApi(service.url, service.username, service.productionKey)
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    email: newAddress(`bench-${n}`),
    asked: Math.floor((count + n) / PEOPLE),
  })).values()
  const ready: ReadyToSign[] = []
  await inLanes(PEOPLE, PREPARED_AT_ONCE, async () => {
    const { email = "", asked = 0 } = people.next().value ?? {}
    const holder = await passkeyHolder(service, email)
    for (let n = 0; n < asked; n += 1) await sentTo(production, "v2", [email], { quality: "AES" })
    const links = await until("every link was mailed", async () => {
      const found = (await mailsTo(email)).flatMap((mail) => linkIn(mail) ?? [])
      return found.length === asked && found
    })
    const visitors: Visitor[] = []
    for (const link of links) visitors.push(await enter(service, link))
    ready.push({ holder, visitors })
  })
  return ready
}

export type Round = {
  /** Of one signature: the time by the clock divided by their number, and all processor time. */
  readonly each: Spent
  /** Processor milliseconds of one signature, by program. */
  readonly where: Readonly<Record<string, number>>
  /** The median of each kind of job, by the clock; and how many had to be tried again since the service began. */
  readonly jobs: Readonly<Record<string, number>>
}

type Asked = {
  /** How many signatures. */
  readonly count: number
  readonly signers: readonly ReadyToSign[]
  readonly programs: Readonly<Record<string, readonly number[]>>
  readonly workers: readonly number[]
}

export async function signAll(
  service: Service,
  { count, signers, programs, workers }: Asked,
): Promise<Round> {
  const before = processorTimes(programs, workers)
  const stop = startWatch()
  const turns = Array.from({ length: count }).values()
  await Promise.all(
    signers.map(async ({ holder, visitors }) => {
      while (visitors.length > 0 && !turns.next().done) await sign(service, holder, visitors.pop())
    }),
  )
  if (!turns.next().done) throw new Error("There were fewer signatures than were to be measured.")
  const { clockMs } = stop()
  const after = processorTimes(programs, workers)
  const where = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / count]),
  )
  const processorMs = Object.values(where).reduce((sum, ms) => sum + ms, 0)
  return { each: { clockMs: clockMs / count, processorMs }, where, jobs: await jobTimes(service) }
}

async function sign({ url }: Service, holder: PasskeyHolder, visitor: Visitor | undefined): Promise<void> {
  if (visitor === undefined) return
  const pressed = await signAs(visitor)
  if (pressed.status !== 202) throw new Error(`The press answered ${pressed.status}: ${pressed.bytes}`)
  const stream = await listen(url, visitor)
  try {
    while ((await stream.next("view")).screen !== "release");
    const released = await releaseWith(visitor, holder)
    if (released.status !== 202) throw new Error(`The release answered ${released.status}: ${released.bytes}`)
    while ((await stream.next("view")).screen !== "done");
  } finally {
    stream.close()
  }
}

/** As the queue has them: its own moments of those that ended last. */
async function jobTimes({ sql }: Service): Promise<Record<string, number>> {
  const text = await sql(`
    select name || ' ' || round(percentile_cont(0.5) within group (order by extract(epoch from completed_on - started_on) * 1000))
      from jobs.job where state = 'completed' and name in ('prepare-release', 'sign-document')
       and completed_on > now() - interval '1 minute' group by name order by name`)
  const again = await sql(
    "select coalesce(sum(retry_count), 0) from jobs.job where name in ('prepare-release', 'sign-document')",
  )
  const medians = text.split("\n").map((line) => [line.split(" ")[0], Number(line.split(" ")[1])])
  return { ...Object.fromEntries(medians), "tried again, in all": Number(again) }
}

async function inLanes(count: number, lanes: number, work: () => Promise<unknown>): Promise<void> {
  const turns = Array.from({ length: count }).values()
  const lane = async () => {
    for (const _ of turns) await work()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
