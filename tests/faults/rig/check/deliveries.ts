// I7, I8: whoever is owed a word has had it, in order, and nobody had one that was not owed.
import type { Rig } from "../rig.ts"
import type { Now } from "./answers.ts"
import type { Breach } from "./breach.ts"

/** What is owed by callbacks of the request itself, and has not come. */
export function owedCallbacks(rig: Rig, found: readonly Now[]): readonly string[] {
  const came = new Set(rig.receiver.came.map(({ path }) => path))
  return found
    .flatMap(({ story, body }) => {
      if (body?.status_overall === "SIGNED") return [`/${story.tag}/success/${body.document_id}`]
      return body?.status_overall === "DECLINED" ? [`/${story.tag}/error`] : []
    })
    .filter((path) => !came.has(path))
}

/** Events that were committed, and have not come to the webhook of their business. */
export async function owedEvents(rig: Rig): Promise<readonly string[]> {
  const came = new Set(rig.receiver.came.map(({ event }) => event))
  return rows(await rig.sql("select id from event where type <> 'callback.gave_up'")).filter(
    (id) => !came.has(id),
  )
}

const HOW_IT_STANDS = `
  select state || ' after ' || attempts || ', due ' || due_at || ', claimed by ' || coalesce(claim::text, 'nobody') || ', '
      || coalesce(messages[cardinality(messages)], 'never tried') from delivery`

export async function checkDeliveries(rig: Rig, found: readonly Now[], breaches: Breach[]): Promise<number> {
  for (const path of owedCallbacks(rig, found)) {
    const stands = await rig.sql(`${HOW_IT_STANDS} where url like '%${path}'`)
    breaches.push({ invariant: "I7", what: `${path} has not come: ${stands || "nobody owes it"}` })
  }
  for (const id of await owedEvents(rig)) {
    const stands = await rig.sql(`${HOW_IT_STANDS} where event_id = '${id}'`)
    breaches.push({ invariant: "I7", what: `event ${id} has not come: ${stands || "nobody owes it"}` })
  }
  const order = rows(
    await rig.sql(
      "select id || ' ' || coalesce(request_id::text, '') from event order by transaction, number",
    ),
  )
  const place = new Map(
    order.map((line, at) => [line.split(" ")[0] ?? "", { at, request: line.split(" ")[1] ?? "" }]),
  )
  const last = new Map<string, number>()
  const seen = new Set<string>()
  for (const { event } of rig.receiver.came) {
    if (event === null || seen.has(event)) continue
    seen.add(event)
    const known = place.get(event)
    if (known === undefined) {
      breaches.push({ invariant: "I7", what: `event ${event} came, and was never committed` })
      continue
    }
    if (known.request === "") continue
    if ((last.get(known.request) ?? -1) > known.at)
      breaches.push({ invariant: "I7", what: `event ${event} of ${known.request} came after a later one` })
    last.set(known.request, known.at)
  }
  return rig.receiver.came.length
}

export async function checkMails(rig: Rig, found: readonly Now[], breaches: Breach[]): Promise<number> {
  for (const { story, body } of found) {
    if (body === null || story.ending === "withdrawn" || story.unsure !== null || story.ending === "declined")
      continue
    for (const signer of story.signers)
      if (rig.mail.to(signer).length === 0 && !rig.mail.refused.has(signer))
        breaches.push({ invariant: "I8", what: `no mail to ${signer}` })
  }
  // One that was sent twice is recognisably one; two that are not are two invitations.
  const known = new Set(rig.journal.stories.flatMap(({ id, signers }) => (id === null ? [] : signers)))
  for (const { to } of rig.mail.mails)
    if (to.endsWith("@example.org") && !known.has(to))
      breaches.push({ invariant: "I8", what: `a mail to ${to}, who was never asked` })
  return rig.mail.mails.length
}

const rows = (text: string): string[] => text.split("\n").filter((line) => line !== "")
