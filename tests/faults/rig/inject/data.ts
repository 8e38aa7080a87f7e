// F20, F21: what is kept is damaged; what is asked is asked many times at once.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openSession } from "../../../service/signer.ts"
import { until } from "../../../service/until.ts"
import type { Random } from "../random.ts"
import { loginAs, type Rig } from "../rig.ts"
import { create, newStory, pathOf, sha256 } from "../story.ts"
import { type Fault, Found, ifItComesToIt } from "./fault.ts"

/** One bit of an object in the bucket is another: whoever reads it is refused, and nobody is given a wrong byte. */
async function flippedBit(rig: Rig, random: Random): Promise<string | null> {
  const finished = rig.journal.stories.filter((story) => story.finished !== null)
  if (finished.length === 0) return null
  const story = random.pick(finished)
  const tenant = rig.tenants[story.business]
  if (tenant === undefined) throw new Error("No such tenant.")
  const name = await rig.sql(`select blob_name from document where id = '${story.documentId}'`)
  const file = fileOf(join(rig.dir, "s3", "objects"), name)
  const whole = readFileSync(file)
  const bent = Buffer.from(whole)
  const at = random.below(bent.length)
  bent.writeUInt8(bent.readUInt8(at) ^ (1 << random.below(8)), at)
  writeFileSync(file, bent)
  try {
    const api = await loginAs(rig, tenant)
    const answer = await api.get(`/v2/documents/${story.documentId}/content`).catch(() => null)
    if (answer?.status === 200 && sha256(answer.bytes) !== story.finished)
      throw new Found(`A damaged document was given out: ${story.tag}, byte ${at}.`)
    if (answer?.status === 200) throw new Found(`A damaged object was not noticed: ${story.tag}, byte ${at}.`)
  } finally {
    writeFileSync(file, whole)
  }
  return `byte ${at} of ${bent.length}`
}

const fileOf = (folder: string, name: string): string => {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(name))
  if (found === undefined) throw new Error(`No object ${name}.`)
  return join(folder, found)
}

/** One key by 32 at once, over both processes: one request, and everybody is told the same. */
async function sameKey(rig: Rig, random: Random): Promise<string> {
  const story = newStory(rig.tenants[0]?.canary ?? "", 0, "race", random)
  const tenant = rig.tenants[0]
  if (tenant === undefined) throw new Error("No tenant.")
  const api = await loginAs(rig, tenant)
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => create(api, story, rig.receiverUrl).catch(() => null)),
  )
  const ids = new Set(
    answers.flatMap((answer) => (answer?.status === 200 || answer?.status === 201 ? [answer.body.id] : [])),
  )
  if (ids.size > 1) throw new Found(`One key made ${ids.size} requests.`)
  rig.journal.stories.push(story)
  story.id = [...ids][0] ?? null
  return `${answers.length} at once, ${ids.size} made`
}

/** Everything that can end a request, at once: one of them wins, and the others are told so. */
async function everyEnd(rig: Rig, random: Random): Promise<string | null> {
  const tenant = rig.tenants[1]
  if (tenant === undefined) throw new Error("No tenant.")
  const story = newStory(tenant.canary, 1, "ends", random)
  const api = await loginAs(rig, tenant)
  rig.journal.stories.push(story)
  const made = await create(api, story, rig.receiverUrl).catch(() => null)
  if (made?.status !== 200 && made?.status !== 201) return null
  story.id = made.body.id as string
  const [signer = ""] = story.signers
  const link = await until(
    "the mail comes",
    () => rig.mail.refused.has(signer) || rig.mail.to(signer)[0]?.link,
    60_000,
  )
  if (link === true) return null
  const [one, two] = [await openSession(rig.url, link), await openSession(rig.url, link)]
  story.unsure = "deleted"
  const answers = await Promise.all(
    [
      () => one.press("Ada Lovelace"),
      () => two.press("Ada Lovelace"),
      () => two.decline("Not like this."),
      () => api.post(`${pathOf(story)}/withdraw`, {}),
      ...(random.next() < 0.3 ? [() => api.delete(pathOf(story))] : []),
    ].map((act) => act().catch(() => null)),
  )
  return answers.map((answer) => answer?.status ?? "–").join(" ")
}

export const dataFaults: readonly Fault[] = [
  { id: "F20", name: "a bit of a document is another", weight: 8, inject: ifItComesToIt(flippedBit) },
  { id: "F21", name: "32 ask by one key", weight: 6, inject: ifItComesToIt(sameKey) },
  { id: "F21", name: "everything ends a request at once", weight: 8, inject: ifItComesToIt(everyEnd) },
]
