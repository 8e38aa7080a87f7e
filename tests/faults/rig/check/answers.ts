// I1, I2: what was acknowledged is there, and what was not is there whole or not at all.
import type { Clients } from "../clients.ts"
import type { Story } from "../journal.ts"
import type { Rig } from "../rig.ts"
import { create, pathOf, sha256 } from "../story.ts"
import type { Breach } from "./breach.ts"

/** The request as it is now; null where it is gone. */
export type Now = { readonly story: Story; readonly body: Readonly<Record<string, unknown>> | null }

export async function checkAnswers(rig: Rig, clients: Clients, breaches: Breach[]): Promise<readonly Now[]> {
  const found: Now[] = []
  for (const story of rig.journal.stories) {
    if (story.id === null) await askAgain(rig, clients, story, breaches)
    if (story.id === null) continue
    const read = await clients.askFor(story.business)("check", (api) => api.get(pathOf(story)))
    const isThere = read?.status === 200
    if (!isThere && story.ending !== "deleted" && story.unsure !== "deleted")
      breaches.push({ invariant: "I1", what: `${story.tag}: ${read?.status ?? "no answer"}` })
    if (isThere && story.ending === "deleted")
      breaches.push({ invariant: "I1", what: `${story.tag} is there again` })
    if (isThere) compare(story, read.body, breaches)
    found.push({ story, body: isThere ? read.body : null })
  }
  const twice = await rig.sql(
    "select title, count(*) from signature_request group by title having count(*) > 1",
  )
  if (twice !== "") breaches.push({ invariant: "I2", what: `made twice: ${twice}` })
  const inPart = await rig.sql(`select r.title from signature_request r
    where not exists (select from signature s where s.request_id = r.id)
       or not exists (select from request_document d where d.request_id = r.id)
       or not exists (select from evidence e where e.request_id = r.id)`)
  if (inPart !== "") breaches.push({ invariant: "I2", what: `made in part: ${inPart}` })
  return found
}

/** Whoever has no answer asks again, by the same key, and has one now. */
async function askAgain(rig: Rig, clients: Clients, story: Story, breaches: Breach[]): Promise<void> {
  const answer = await clients.askFor(story.business)("ask again", (api) =>
    create(api, story, rig.receiverUrl),
  )
  if (answer?.status !== 200 && answer?.status !== 201)
    return void breaches.push({
      invariant: "I2",
      what: `${story.tag}: asked again, answered ${answer?.status}`,
    })
  story.id = answer.body.id as string
  story.unsure = null
}

const ENDED = { signed: "SIGNED", declined: "DECLINED", withdrawn: "WITHDRAWN" } as const

function compare(story: Story, body: Record<string, unknown>, breaches: Breach[]): void {
  const wrong = (what: string) => breaches.push({ invariant: "I1", what: `${story.tag}: ${what}` })
  if (body.title !== story.tag) wrong(`its title is ${body.title}`)
  const entries = body.signatures as readonly { readonly account_email?: string }[]
  const emails = entries.map(({ account_email }) => account_email).sort()
  if (emails.join() !== [...story.signers].sort().join()) wrong(`its signers are ${emails.join()}`)
  if (story.ending !== "open" && story.ending !== "deleted" && body.status_overall !== ENDED[story.ending])
    wrong(`it was ${story.ending} and is ${body.status_overall}`)
}

export const isSame = (bytes: Uint8Array, story: Story): boolean =>
  story.finished === null || sha256(bytes) === story.finished
