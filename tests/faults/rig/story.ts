// One story: somebody asks for signatures, people sign or do not, the document is taken home.
import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Answer, Api } from "../../service/api.ts"
import { contractPdf } from "../../service/pdf.ts"
import { openSession } from "../../service/signer.ts"
import type { World } from "./clients.ts"
import type { Story } from "./journal.ts"
import { BUDGET_MS } from "./patient.ts"
import type { Random } from "./random.ts"

export type Ask = (what: string, call: (api: Api) => Promise<Answer>) => Promise<Answer | null>
type Say = (line: object) => void

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
export const pdfOf = (tag: string): Buffer => contractPdf(`Agreement ${tag}.`)
export const pathOf = ({ id }: Story): string => `/v2/signature-requests/${id}`

export function newStory(canary: string, business: number, name: string, random: Random): Story {
  const tag = `${canary}-${name}-${random.below(1 << 30).toString(36)}`
  const signers = Array.from({ length: random.between(1, 2) }, (_, i) => `${tag}-${i}@example.org`)
  return {
    ...{ tag, business, signers, sha256: sha256(pdfOf(tag)), key: `key-${tag}` },
    ...{ id: null, documentId: null, ending: "open", unsure: "create", finished: null },
  }
}

/** The same body each time that it is sent, by the same key. */
export function create(api: Api, { tag, signers, key }: Story, receiverUrl: string): Promise<Answer> {
  const body = {
    title: tag,
    content: pdfOf(tag).toString("base64"),
    signatures: signers.map((account_email) => ({ account_email })),
    callback_success_url: `${receiverUrl}/${tag}/success/SERVICE_DOCUMENT_ID`,
    callback_error_url: `${receiverUrl}/${tag}/error`,
    callback_update_url: `${receiverUrl}/${tag}/update`,
  }
  return api.post("/v2/signature-requests", body, { "idempotency-key": key })
}

export async function live(world: World, story: Story, ask: Ask, random: Random): Promise<void> {
  const { journal, receiverUrl } = world
  const say: Say = (line) => journal.write({ tag: story.tag, ...line })
  say({ begins: "create" })
  const made = await ask("create", (api) => create(api, story, receiverUrl))
  if (made === null) return
  if (made.status !== 201 && made.status !== 200)
    return void journal.wrong.push(`create answered ${made.status}: ${made.bytes}`)
  story.id = made.body.id as string
  story.documentId = made.body.document_id as string
  story.unsure = null
  say({ made: story.id, document: story.documentId })

  const plan = random.next()
  if (plan < 0.08)
    return end(
      story,
      "deleted",
      say,
      ask("delete", (api) => api.delete(pathOf(story))),
    )
  if (plan < 0.14) {
    const headers = { "idempotency-key": `withdraw-${story.tag}` }
    const asked = ask("withdraw", (api) => api.post(`${pathOf(story)}/withdraw`, {}, headers))
    return end(story, "withdrawn", say, asked)
  }
  // Some leave it as it is.
  if (plan < 0.2) return
  const decliner = plan < 0.3 ? random.pick(story.signers) : null
  for (const signer of story.signers) {
    const deed = signer === decliner ? "declined" : "signed"
    if (!(await act(world, story, signer, deed, ask, say)) || deed === "declined") return
  }
  await takeHome(story, ask, say)
}

async function end(
  story: Story,
  ending: Story["ending"],
  say: Say,
  asked: Promise<Answer | null>,
): Promise<void> {
  story.unsure = ending
  const answer = await asked
  // 404 of a deletion that was sent again: the first one has done it, and its answer was lost.
  if (answer === null || (answer.status >= 300 && answer.status !== 404)) return
  story.unsure = null
  story.ending = ending
  say({ ended: ending })
}

type Deed = "signed" | "declined"

/** By the link of the mail, as people do; whoever meets trouble opens the link again. */
async function act(
  world: World,
  story: Story,
  signer: string,
  deed: Deed,
  ask: Ask,
  say: Say,
): Promise<boolean> {
  const link = await mailed(world, signer)
  if (link === null) return false
  story.unsure = `${deed} by ${signer}`
  say({ begins: story.unsure })
  const started = performance.now()
  for (let tries = 1; performance.now() - started < 3 * BUDGET_MS; tries += 1) {
    const done = await pressOnce(world.url, link, deed).catch(() => false)
    if (done || (tries > 1 && deed === "declined" && (await isDeclined(story, ask)))) {
      const ms = Math.round(performance.now() - started)
      world.journal.calls.push({ what: deed, ms, tries, done: ms <= BUDGET_MS })
      story.unsure = null
      if (deed === "declined") story.ending = "declined"
      say({ done: deed, signer })
      return true
    }
    await pause(Math.min(1_000, 100 * 2 ** tries))
  }
  world.journal.calls.push({ what: deed, ms: 3 * BUDGET_MS, tries: 0, done: false })
  return false
}

/** True when the person is told that it is kept, or finds that it was. */
async function pressOnce(url: string, link: string, deed: Deed): Promise<boolean> {
  const signer = await openSession(url, link)
  const { body } = await signer.view()
  if (["done", "working"].includes(body.screen)) return true
  const pressed = deed === "signed" ? signer.press("Ada Lovelace") : signer.decline("Not like this.")
  const { status } = await pressed
  return status >= 200 && status < 300
}

/** Their link opens nothing any more, so whoever is not sure looks at the request. */
async function isDeclined(story: Story, ask: Ask): Promise<boolean> {
  const read = await ask("read", (api) => api.get(pathOf(story)))
  return read?.body?.status_overall === "DECLINED"
}

async function mailed({ mail }: World, address: string): Promise<string | null> {
  for (const until = Date.now() + 180_000; Date.now() < until; await pause(100)) {
    const link = mail.to(address).findLast((one) => one.link !== null)?.link
    if (link) return link
    if (mail.refused.has(address)) return null
  }
  return null
}

/** Waits for the whole to be signed, and takes the document home. */
async function takeHome(story: Story, ask: Ask, say: Say): Promise<void> {
  for (const until = Date.now() + 180_000; Date.now() < until; await pause(300)) {
    const read = await ask("read", (api) => api.get(pathOf(story)))
    if (read?.body?.status_overall !== "SIGNED") continue
    story.ending = "signed"
    const documentId = read.body.document_id as string
    const document = await ask("document", (api) => api.get(`/v2/documents/${documentId}/content`))
    if (document?.status !== 200) return
    story.documentId = documentId
    story.finished = sha256(document.bytes)
    return say({ finished: story.finished, document: documentId })
  }
}
