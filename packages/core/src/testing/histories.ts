import type { Event } from "../signature-request/event.ts"
import type { GroupEntry, Mark, Signature, SignatureRequest } from "../signature-request/model.ts"
import { sampleConsent, sampleRequest } from "./sample.ts"

/** What the machine is held against: parts 3.1 and 3.2 in other words, without any of how they are done. */

type Person = {
  place: number | null
  state: "open" | "signed" | "declined" | "error"
  agreed: boolean
  left: Set<string>
}
export type Model = {
  status: "DRAFT" | "OPEN" | "EXPIRED" | "WITHDRAWN"
  people: Map<string, Person>
  /** Those of a draft, each with its place; its two members are people from the start on. */
  groups: Map<string, number>
  documents: string[]
  /** Told by callbacks, in order. */
  calls: string[]
}
export type Real = {
  request: SignatureRequest
  number: number
  calls: string[]
  asked: string[]
  invited: string[]
  marks: string[]
}

/** Part 3.2, from the people alone. */
export function statusOfModel({ status, people }: Model): string {
  if (status !== "OPEN") return status
  const states = [...people.values()].map((p) => p.state)
  if (states.includes("declined")) return "DECLINED"
  if (states.includes("error")) return "ERROR"
  return states.length > 0 && states.every((state) => state === "signed") ? "SIGNED" : "OPEN"
}

/** Part 2.2: smallest first; without a number at any time. */
export function mayAct(model: Model, id: string): boolean {
  const person = model.people.get(id)
  if (person === undefined || person.state !== "open") return false
  const waiting = [...model.people.values()].filter((p) => p.state === "open")
  return person.place === null || waiting.every((p) => p.place === null || p.place >= (person.place ?? 0))
}

/** One thing that somebody tries. `change` says what it means where it is legal, and null where it is not. */
export type Attempt = {
  readonly name: string
  readonly event: (real: Real, at: Date) => Event
  readonly change: (model: Model, real: Real) => (() => void) | null
}

const alive = (model: Model) => statusOfModel(model) === "DRAFT" || statusOfModel(model) === "OPEN"
const isOpen = (model: Model) => statusOfModel(model) === "OPEN"
const nth = (real: Real, n: number) =>
  real.request.signatures[n % Math.max(1, real.request.signatures.length)]?.id ?? "nobody"
const wanted = (documents: readonly string[]): readonly Mark[] =>
  documents.map((documentId) => ({ documentId, versionId: null, visual: null }))

function newPerson(real: Real, place: number | null): Signature {
  const [sample] = sampleRequest([place]).signatures
  if (sample === undefined) throw new Error("The sample has no signer.")
  return { ...sample, id: `added${real.number}`, marks: wanted(real.request.documents.map((d) => d.id)) }
}

const person = (model: Model, place: number | null): Person => ({
  place,
  state: "open",
  agreed: false,
  left: new Set(model.documents),
})

function newGroup({ request, number }: Real, place: number): GroupEntry {
  const marks = wanted(request.documents.map((d) => d.id))
  return { id: `group${number}`, groupId: "g", place, notify: true, restricted: false, marks }
}

/** As the use case makes them of the group when it is frozen. */
function membersOf({ id, place, marks }: GroupEntry): readonly Signature[] {
  const [sample] = sampleRequest([place]).signatures
  if (sample === undefined) throw new Error("The sample has no signer.")
  return ["a", "b"].map((letter) => ({ ...sample, id: `${id}${letter}`, groupId: "g", marks }))
}

/** Decisions, "v3 groups": all members sign, inside a group in any order. */
function begin(model: Model): void {
  model.status = "OPEN"
  for (const [id, place] of model.groups)
    for (const letter of ["a", "b"]) model.people.set(`${id}${letter}`, person(model, place))
  model.groups.clear()
}

const untouched = (model: Model) => [...model.people.values()].every((p) => p.state === "open" && !p.agreed)

export const ATTEMPTS: Readonly<Record<string, (n: number, place: number | null) => Attempt>> = {
  start: () => ({
    name: "start",
    event: ({ request }, at) => ({ type: "start", members: request.groups.flatMap(membersOf), at }),
    change: (model) => (model.status === "DRAFT" ? () => begin(model) : null),
  }),
  "add a group": (n) => ({
    name: `add a group at ${1 + (n % 3)}`,
    event: (real, at) => {
      const entry = newGroup(real, 1 + (n % 3))
      return { type: "add-group", entry, members: membersOf(entry), at }
    },
    change: (model, real) => {
      const add = () => {
        model.groups.set(`group${real.number}`, 1 + (n % 3))
        if (model.status === "OPEN") begin(model)
      }
      return alive(model) ? add : null
    },
  }),
  add: (_, place) => ({
    name: `add a signer at ${place}`,
    event: (real, at) => ({ type: "add-signer", signature: newPerson(real, place), at }),
    change: (model, real) =>
      alive(model) ? () => void model.people.set(`added${real.number}`, person(model, place)) : null,
  }),
  remove: (n) => ({
    name: `remove signer ${n}`,
    event: (real, at) => ({ type: "remove-signer", signatureId: nth(real, n), at }),
    change: (model, real) => {
      const id = nth(real, n)
      const one = model.people.get(id)
      return alive(model) && one?.state === "open" && !one.agreed ? () => void model.people.delete(id) : null
    },
  }),
  replace: (_, place) => ({
    name: `replace all signers by one at ${place}`,
    event: (real, at) => ({
      type: "replace-signers",
      signatures: [newPerson(real, place)],
      groups: [],
      members: [],
      at,
    }),
    change: (model, real) =>
      alive(model) && untouched(model)
        ? () => {
            model.groups.clear()
            model.people = new Map([[`added${real.number}`, person(model, place)]])
          }
        : null,
  }),
  consent: (n) => ({
    name: `signer ${n} agrees`,
    event: (real, at) => ({ type: "consent", signatureId: nth(real, n), consent: sampleConsent(at), at }),
    change: (model, real) => {
      const id = nth(real, n)
      const one = model.people.get(id)
      return isOpen(model) && one !== undefined && mayAct(model, id)
        ? () => void Object.assign(one, { agreed: true })
        : null
    },
  }),
  mark: (n) => mark(n, false),
  "late mark": (n) => mark(n, true),
  decline: (n) => ({
    name: `signer ${n} declines`,
    event: (real, at) => ({ type: "decline", signatureId: nth(real, n), reason: null, at }),
    change: (model, real) => {
      const one = model.people.get(nth(real, n))
      return isOpen(model) && one !== undefined && mayAct(model, nth(real, n)) && !one.agreed
        ? () => void Object.assign(one, { state: "declined" })
        : null
    },
  }),
  fail: (n) => ({
    name: `the signature of ${n} fails`,
    event: (real, at) => ({ type: "fail", signatureId: nth(real, n), at }),
    change: (model, real) => {
      const one = model.people.get(nth(real, n))
      return isOpen(model) && one?.state === "open" ? () => void Object.assign(one, { state: "error" }) : null
    },
  }),
  expire: (n) => ({
    name: n % 2 === 0 ? "its date passes" : "somebody thinks that its date has passed",
    event: (real, at) => ({
      type: "expire",
      at: n % 2 === 0 ? (real.request.expiresAt?.passesAt ?? at) : at,
    }),
    change: (model) =>
      isOpen(model) && n % 2 === 0 ? () => void Object.assign(model, { status: "EXPIRED" }) : null,
  }),
  withdraw: () => ({
    name: "withdraw",
    event: (_, at) => ({ type: "withdraw", message: null, at }),
    change: (model) => (isOpen(model) ? () => void Object.assign(model, { status: "WITHDRAWN" }) : null),
  }),
  update: () => ({
    name: "update",
    event: (_, at) => ({ type: "update", changes: { title: "Another" }, at }),
    change: (model) => (alive(model) ? () => undefined : null),
  }),
  "add a document": () => ({
    name: "add a document",
    event: (real, at) => {
      const id = `d${real.number + 10}`
      return { type: "add-document", document: { id, newestId: id, name: "More", renewAt: null }, at }
    },
    change: (model, real) =>
      model.status === "DRAFT"
        ? () => {
            model.documents.push(`d${real.number + 10}`)
            for (const one of model.people.values()) one.left.add(`d${real.number + 10}`)
          }
        : null,
  }),
  "remove a document": (n) => ({
    name: `remove document ${n}`,
    event: (real, at) => ({ type: "remove-document", documentId: documentOf(real, n), at }),
    change: (model, real) =>
      model.status === "DRAFT" && model.documents.length > 1
        ? () => {
            const id = documentOf(real, n)
            model.documents = model.documents.filter((one) => one !== id)
            for (const one of model.people.values()) one.left.delete(id)
          }
        : null,
  }),
}

const documentOf = (real: Real, n: number) =>
  real.request.documents[n % real.request.documents.length]?.id ?? ""

/** A worker makes a mark on the newest version; a late one on the upload, when somebody was faster. */
function mark(n: number, late: boolean): Attempt {
  const aim = ({ request }: Real) =>
    request.documents[n % request.documents.length] ?? { id: "", newestId: "" }
  return {
    name: `${late ? "late " : ""}mark of signer ${n}`,
    event: (real, at) => {
      const { id, newestId } = aim(real)
      const onto = late ? id : newestId
      return {
        type: "mark",
        signatureId: nth(real, n),
        documentId: id,
        onto,
        versionId: `${id} v${real.number}`,
        at,
      }
    },
    change: (model, real) => {
      const { id, newestId } = aim(real)
      const one = model.people.get(nth(real, n))
      if (!isOpen(model) || one === undefined || one.state !== "open" || !one.agreed || !one.left.has(id))
        return null
      if (late && newestId !== id) return null
      return () => {
        real.marks.push(`${id} v${real.number}`)
        one.left.delete(id)
        if (one.left.size > 0) return
        one.state = "signed"
        if (statusOfModel(model) === "OPEN") model.calls.push("update")
      }
    },
  }
}
