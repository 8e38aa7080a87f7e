import type fc from "fast-check"
import { expect } from "vitest"
import type { Answer, Api, Json, Version } from "../service/api.ts"
import { linkIn, mailsTo, type ReceivedMail } from "../service/mailbox.ts"
import { emailsOf, entry } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import * as is from "./histories-model.ts"

type Model = is.Model
export type Real = {
  readonly service: Service
  /** Logged in: a token does not outlive a move of the clock. */
  api: Api
  readonly documentIds: readonly [string, string]
  /** A date so many days after the service's today. */
  readonly day: (days: number) => string
  version: Version
  id: string
  /** Everything that was asked and answered, for whoever reads a failure. */
  readonly log: string[]
}

export type Command = fc.AsyncCommand<Model, Real>
/** Whom to ask, as somebody writes it into `signatures`: a person, or a group of so many, at a place or without one. */
export type Asked = { readonly place: number | null; readonly members: number }

/** The days from now to the last day, where a request has one. */
export const LAST_DAY = 20

const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  toString: () => name,
  run: async (model, real) => {
    real.log.push(name)
    await run(model, real)
    await agrees(model, real)
  },
})

/** What everybody can read, after each step: the integrator the request, everybody who is asked their mails. */
export async function agrees(model: Model, real: Real): Promise<void> {
  const { status, body } = await real.api.get(at(real))
  if (model.status === "DELETED") expect([real.log, status]).toEqual([real.log, 404])
  else {
    expect([real.log, status, body.status_overall]).toEqual([real.log, 200, is.statusOf(model)])
    expect([real.log, body.message ?? null]).toEqual([real.log, model.message])
    const shown = body.signatures.map((s: Json) => [whoIs(real, s), s.status_code])
    const groups = model.entries.map(({ group }) => [group.id, "OPEN"])
    expect([real.log, shown]).toEqual([real.log, [...model.people.map((p) => [p.email, p.state]), ...groups]])
    if (model.status === "DRAFT") expect(body.document_id).toBe(real.documentIds[model.document])
  }
  for (const person of model.known)
    if (person.seen.count < person.mails.length) await wasWrittenTo(person, real)
}

/** Exactly these mails: none is missing, none has come twice, none to somebody whose turn it is not. */
export async function wasWrittenTo(person: is.Person, real: Real): Promise<void> {
  const { email, mails, seen } = person
  const due = mails.slice(seen.count)
  const come = await until(`${due.join(", ")} comes to ${email}; ${real.log.join(", ")}`, async () => {
    const newer = (await mailsTo(email)).filter(({ id }) => id > seen.newest)
    return newer.length >= due.length && newer
  })
  expect([real.log, email, come.map(kindOf)]).toEqual([real.log, email, due])
  person.seen = {
    count: mails.length,
    newest: come.at(-1)?.id ?? seen.newest,
    link: come.flatMap((mail) => linkIn(mail) ?? []).at(-1) ?? seen.link,
  }
}

const SUBJECTS: readonly (readonly [is.Mail, RegExp])[] = [
  ["invitation", /asks you to sign/],
  ["your-turn", /^It is your turn/],
  ["completed", /^Signed:/],
  ["declined", /^Declined:/],
  ["withdrawn", /^Withdrawn:/],
  ["expired", /^Expired:/],
]
const kindOf = ({ subject }: ReceivedMail): string =>
  SUBJECTS.find(([, pattern]) => pattern.test(subject))?.[0] ?? subject

const at = ({ version, id }: Real, rest = "") => `/${version}/signature-requests/${id}${rest}`
const whoIs = ({ version }: Real, signature: Json) =>
  emailsOf(version, { signatures: [signature] })[0] ?? signature.signer_group_id
const entryOf = (v: Version, { email, place }: is.Person) => entry(v, email, place === null ? {} : { place })

/** Where it is not legal, the answer says so by its key, and nothing has changed. */
function judged(real: Real, answer: Answer, legal: boolean): boolean {
  const seen = legal ? [200, 204].includes(answer.status) : answer.body?.key
  expect([real.log, answer.status, seen]).toEqual([
    real.log,
    answer.status,
    legal ? true : "error.sr.invalid_state",
  ])
  return legal
}

/** The entries as they are sent, and what the model makes of them; groups are for v3 alone. */
async function ask(
  model: Model,
  real: Real,
  asked: readonly Asked[],
  taken: readonly (number | null)[] = [],
) {
  const [people, entries, sent]: [is.Person[], Model["entries"], object[]] = [[], [], []]
  const places = [...taken]
  for (const { place, members } of asked) {
    if (members === 0 || real.version !== "v3") {
      const person = is.newPerson(place)
      people.push(person)
      sent.push(entryOf(real.version, person))
      places.push(place)
    } else {
      const group = await newGroup(model, real, members)
      entries.push({ group, place: is.placeOf(place, places) })
      sent.push({ signer_group_id: group.id, ...(place !== null && { sequence: place }) })
      places.push(is.placeOf(place, places))
    }
  }
  return { people, entries, sent }
}

async function newGroup(model: Model, real: Real, size: number): Promise<is.Group> {
  const members = Array.from({ length: size }, is.newAddress)
  const body = { name: "Board", members: members.map((email) => ({ email })) }
  const group: is.Group = { id: (await real.api.post("/v3/groups", body)).body.id, members }
  model.groups.push(group)
  return group
}

export const create = (version: Version, asked: readonly Asked[], dated: boolean): Command =>
  command(
    `create in ${version} for ${asked.length}${dated ? ", with a last day" : ""}`,
    (model) => model.status === "NONE",
    async (model, real) => {
      real.version = version
      const { people, entries, sent } = await ask(model, real, asked)
      const lastDay = dated && version === "v3" ? { expires_at: real.day(LAST_DAY) } : {}
      const body = { title: "Contract", document_id: real.documentIds[0], signatures: sent, ...lastDay }
      const answer = await real.api.post(`/${version}/signature-requests`, body)
      judged(real, answer, true)
      real.id = answer.body.id
      model.writesToAll = version === "v3"
      model.lastDay = "expires_at" in lastDay ? "ahead" : "none"
      model.status = "DRAFT"
      is.replace(model, people, entries)
      if (version !== "v3") is.open(model)
    },
  )

export const initiate = (): Command =>
  command("initiate", isThere, async (model, real) => {
    if (real.version !== "v3") return
    const answer = await real.api.post(at(real, "/initiate"), undefined)
    if (judged(real, answer, model.status === "DRAFT" && model.lastDay !== "over")) is.open(model)
  })

export const addSigner = (asked: Asked): Command =>
  command(`add ${asked.members || "a signer"} at ${asked.place}`, isThere, async (model, real) => {
    const taken = [...model.people, ...model.entries].map(({ place }) => place)
    const { people, entries, sent } = await ask(model, real, [asked], taken)
    const answer = await real.api.post(at(real, "/signatures"), sent[0])
    if (!judged(real, answer, is.isAlive(model))) return
    if (model.status === "DRAFT") model.entries.push(...entries)
    const members = entries.flatMap(({ group, place }) => group.members.map((m) => is.newPerson(place, m)))
    is.join(model, model.status === "DRAFT" ? people : [...people, ...members])
  })

export const removeSigner = (n: number): Command =>
  command(`remove signer ${n}`, hasSigners, async (model, real) => {
    const which = pick([...model.people, ...model.entries], n)
    const name = "email" in which ? which.email : which.group.id
    const { body } = await real.api.get(at(real))
    const sid = body.signatures.find((s: Json) => whoIs(real, s) === name)?.sid
    const answer = await real.api.delete(at(real, `/signatures/${sid}`))
    const legal = is.isAlive(model) && !("state" in which && which.state !== "OPEN")
    if (!judged(real, answer, legal)) return
    if ("email" in which) is.leave(model, which)
    else model.entries = model.entries.filter((one) => one !== which)
  })

/** Decisions, "update": the whole of `signatures` anew, only while nobody has signed. */
export const replaceSigners = (asked: readonly Asked[]): Command =>
  command(`replace all signers by ${asked.length}`, isThere, async (model, real) => {
    const { people, entries, sent } = await ask(model, real, asked)
    const body = { id: real.id, signatures: sent }
    const answer = await real.api.put(`/${real.version}/signature-requests`, body)
    if (judged(real, answer, is.isAlive(model) && is.isUntouched(model))) is.replace(model, people, entries)
  })

/** Frozen at initiate: before that the request asks the new members, after it those whom it has asked already. */
export const changeGroup = (n: number): Command =>
  command(
    `change group ${n}`,
    (model) => isThere(model) && model.groups.length > 0,
    async (model, real) => {
      const group = pick(model.groups, n)
      const members = Array.from({ length: 1 + (n % 2) }, is.newAddress)
      const body = { name: "The board", members: members.map((email) => ({ email })) }
      expect([real.log, (await real.api.put(`/v3/groups/${group.id}`, body)).status]).toEqual([real.log, 200])
      group.members = members
    },
  )

export const replaceDocument = (): Command =>
  command("replace the document", isThere, async (model, real) => {
    if (real.version !== "v3") return
    const [old, other] = [model.document, model.document === 0 ? 1 : 0] as const
    const draft = model.status === "DRAFT"
    const added = { document_id: real.documentIds[other] }
    judged(real, await real.api.post(at(real, "/documents"), added), draft)
    judged(real, await real.api.delete(at(real, `/documents/${real.documentIds[old]}`)), draft)
    if (draft) model.document = other
  })

export const update = (message: string): Command =>
  command("update", isThere, async (model, real) => {
    const answer = await real.api.put(`/${real.version}/signature-requests`, { id: real.id, message })
    if (judged(real, answer, is.isAlive(model))) model.message = message
  })

export const setLastDay = (): Command =>
  command("set the last day", isThere, async (model, real) => {
    if (real.version !== "v3") return
    const answer = await real.api.patch(at(real), { expires_at: real.day(LAST_DAY) })
    // Who sends the day that it has already changes nothing by that.
    const legal = model.status === "DRAFT" || (is.isAlive(model) && model.lastDay === "ahead")
    if (judged(real, answer, legal)) model.lastDay = "ahead"
  })

export const withdraw = (): Command =>
  command("withdraw", isThere, async (model, real) => {
    const answer = await real.api.post(at(real, "/withdraw"), {})
    if (judged(real, answer, is.statusOf(model) === "OPEN")) is.end(model, "WITHDRAWN")
  })

export const remove = (): Command =>
  command("delete", isThere, async (model, real) => {
    judged(real, await real.api.delete(at(real)), true)
    is.end(model, "DELETED")
  })

export const sign = (n: number): Command =>
  command(`signer ${n} signs`, mayAct, async (model, real) => {
    const person = pick(is.turn(model), n)
    const signer = await openSession(real.service.url, linkOf(person))
    expect([real.log, (await signer.press("Ann Example")).status]).toEqual([real.log, 202])
    await until("the signature is made", async () => (await signer.view()).body.screen === "done")
    is.act(model, person, "SIGNED")
  })

export const decline = (n: number): Command =>
  command(`signer ${n} declines`, mayAct, async (model, real) => {
    const person = pick(is.turn(model), n)
    const signer = await openSession(real.service.url, linkOf(person))
    expect([real.log, (await signer.decline("No.")).status]).toEqual([real.log, 200])
    is.act(model, person, "DECLINED")
  })

/** The clock has moved behind the last day of those that have one; somebody has yet to come by and see it. */
export async function timePasses(model: Model, real: Real): Promise<void> {
  real.log.push("the last day passes")
  if (is.statusOf(model) === "OPEN") is.end(model, "EXPIRED")
  model.lastDay = "over"
  await until("it has expired", async () => {
    const { body } = await real.api.get(at(real))
    return model.status === "DELETED" || body.status_overall === is.statusOf(model)
  })
  await agrees(model, real)
}

const isThere = ({ status }: Model) => status !== "NONE" && status !== "DELETED"
const hasSigners = (model: Model) => isThere(model) && model.people.length + model.entries.length > 0
const mayAct = (model: Model) => is.statusOf(model) === "OPEN" && is.turn(model).length > 0

function pick<T>(things: readonly T[], n: number): T {
  const thing = things[n % things.length]
  if (thing === undefined) throw new Error("There is nothing to pick from.")
  return thing
}

/** By the newest mail, as its reader does. */
function linkOf({ email, seen }: is.Person): string {
  if (seen.link === null) throw new Error(`No mail to ${email} has a link.`)
  return seen.link
}
