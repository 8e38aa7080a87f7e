import { randomBytes } from "node:crypto"
import type fc from "fast-check"
import { expect } from "vitest"
import type { Answer, Json, Version } from "../service/api.ts"
import { linkIn, mailsTo } from "../service/mailbox.ts"
import type { Service } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

// Parts 3.1 and 3.2 in the words of an integrator: what may be asked for in which status, and what it leads to.

type Person = { readonly email: string; readonly place: number | null; state: "OPEN" | "SIGNED" | "DECLINED" }
export type Model = { status: "NONE" | "DRAFT" | "OPEN" | "WITHDRAWN" | "DELETED"; people: Person[] }
export type Real = {
  readonly service: Service
  readonly documentId: string
  version: Version
  id: string
  /** Everything that was asked and answered, for whoever reads a failure. */
  readonly log: string[]
}

export function statusOf({ status, people }: Model): string {
  if (status !== "OPEN") return status
  if (people.some((p) => p.state === "DECLINED")) return "DECLINED"
  return people.length > 0 && people.every((p) => p.state === "SIGNED") ? "SIGNED" : "OPEN"
}

const isAlive = (model: Model) => ["DRAFT", "OPEN"].includes(statusOf(model))

/** Smallest first; who has no number, at any time. */
function turn({ people }: Model): readonly Person[] {
  const open = people.filter((p) => p.state === "OPEN")
  const first = Math.min(...open.map((p) => p.place ?? Number.POSITIVE_INFINITY))
  return open.filter((p) => p.place === null || p.place === first)
}

export type Command = fc.AsyncCommand<Model, Real>
type Doing = (model: Model, real: Real) => Promise<void>

const command = (name: string, check: (model: Model) => boolean, run: Doing): Command => ({
  check,
  toString: () => name,
  run: async (model, real) => {
    real.log.push(name)
    await run(model, real)
    await agrees(model, real)
  },
})

/** What everybody can read, after each step. */
async function agrees(model: Model, real: Real): Promise<void> {
  const { status, body } = await real.service.caller.get(at(real))
  if (model.status === "DELETED") return expect([real.log, status]).toEqual([real.log, 404])
  expect([real.log, status, body.status_overall]).toEqual([real.log, 200, statusOf(model)])
  const shown = body.signatures.map((s: Json) => [emailOf(real, s), s.status_code])
  expect([real.log, shown]).toEqual([real.log, model.people.map((p) => [p.email, p.state])])
}

const at = ({ version, id }: Real, rest = "") => `/${version}/signature-requests/${id}${rest}`
const emailOf = ({ version }: Real, signature: Json) =>
  version === "v1" ? signature.signer_email_address : signature.account_email
const entry = (version: Version, { email, place }: Person) =>
  version === "v1"
    ? { signer_email_address: email, ...(place !== null && { order: place }) }
    : { account_email: email, ...(place !== null && { sequence: place }) }

const newPerson = (place: number | null): Person => ({
  email: `${randomBytes(8).toString("hex")}@example.org`,
  place,
  state: "OPEN",
})

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

export const create = (version: Version, places: readonly (number | null)[]): Command =>
  command(
    `create in ${version} for ${places.length}`,
    (model) => model.status === "NONE",
    async (model, real) => {
      model.people = places.map(newPerson)
      const signatures = model.people.map((person) => entry(version, person))
      const body = { title: "Contract", document_id: real.documentId, signatures }
      const answer = await real.service.caller.post(`/${version}/signature-requests`, body)
      judged(real, answer, true)
      real.version = version
      real.id = answer.body.id
      model.status = version === "v3" ? "DRAFT" : "OPEN"
    },
  )

export const initiate = (): Command =>
  command(
    "initiate",
    (model) => model.status !== "NONE" && model.status !== "DELETED",
    async (model, real) => {
      if (real.version !== "v3") return
      const answer = await real.service.caller.post(at(real, "/initiate"), undefined)
      if (judged(real, answer, model.status === "DRAFT")) model.status = "OPEN"
    },
  )

export const addSigner = (place: number | null): Command =>
  command(`add a signer at ${place}`, isThere, async (model, real) => {
    const person = newPerson(place)
    const answer = await real.service.caller.post(at(real, "/signatures"), entry(real.version, person))
    if (judged(real, answer, isAlive(model))) model.people.push(person)
  })

export const removeSigner = (n: number): Command =>
  command(`remove signer ${n}`, hasPeople, async (model, real) => {
    const person = pick(model.people, n)
    const { body } = await real.service.caller.get(at(real))
    const sid = body.signatures.find((s: Json) => emailOf(real, s) === person.email)?.sid
    const answer = await real.service.caller.delete(at(real, `/signatures/${sid}`))
    if (judged(real, answer, isAlive(model) && person.state === "OPEN"))
      model.people = model.people.filter((p) => p !== person)
  })

export const update = (): Command =>
  command("update", isThere, async (model, real) => {
    const answer = await real.service.caller.put(`/${real.version}/signature-requests`, {
      id: real.id,
      message: "Please.",
    })
    judged(real, answer, isAlive(model))
  })

export const withdraw = (): Command =>
  command("withdraw", isThere, async (model, real) => {
    const answer = await real.service.caller.post(at(real, "/withdraw"), {})
    if (judged(real, answer, statusOf(model) === "OPEN")) model.status = "WITHDRAWN"
  })

export const remove = (): Command =>
  command("delete", isThere, async (model, real) => {
    judged(real, await real.service.caller.delete(at(real)), true)
    model.status = "DELETED"
  })

export const sign = (n: number): Command =>
  command(`signer ${n} signs`, mayAct, async (model, real) => {
    const person = pick(turn(model), n)
    const signer = await openSession(real.service.url, await linkOf(person))
    expect([real.log, (await signer.press("Ann Example")).status]).toEqual([real.log, 202])
    await until("the signature is made", async () => (await signer.view()).body.screen === "done")
    person.state = "SIGNED"
  })

export const decline = (n: number): Command =>
  command(`signer ${n} declines`, mayAct, async (model, real) => {
    const person = pick(turn(model), n)
    const signer = await openSession(real.service.url, await linkOf(person))
    expect([real.log, (await signer.decline("No.")).status]).toEqual([real.log, 200])
    person.state = "DECLINED"
  })

const isThere = ({ status }: Model) => status !== "NONE" && status !== "DELETED"
const hasPeople = (model: Model) => isThere(model) && model.people.length > 0
const mayAct = (model: Model) => statusOf(model) === "OPEN" && turn(model).length > 0

function pick<T>(things: readonly T[], n: number): T {
  const thing = things[n % things.length]
  if (thing === undefined) throw new Error("There is nothing to pick from.")
  return thing
}

/** The invitation may still be under way. */
const linkOf = ({ email }: Person): Promise<string> =>
  until(`an invitation comes to ${email}`, async () =>
    (await mailsTo(email)).flatMap((mail) => linkIn(mail) ?? []).at(-1),
  )
