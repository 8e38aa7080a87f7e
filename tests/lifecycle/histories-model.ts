import { randomBytes } from "node:crypto"

// Parts 3.1 and 3.2 in the words of an integrator: who is asked, whose turn it is, what has become of it, and who has been
// written to. Nothing here knows how the service does it.

export type Mail = "invitation" | "your-turn" | "completed" | "declined" | "withdrawn" | "expired"

export type Person = {
  readonly email: string
  readonly place: number | null
  state: "OPEN" | "SIGNED" | "DECLINED"
  /** Every mail that this address must have had, in this order. */
  readonly mails: Mail[]
  /** What was seen of them: how many, which was the newest, and the newest link. The mailbox forgets old mails. */
  seen: { readonly count: number; readonly newest: number; readonly link: string | null }
}
export type Group = { readonly id: string; members: readonly string[] }
/** While DRAFT a group is one entry; when it is initiated, each of those who are its members then. */
type GroupEntry = { readonly group: Group; readonly place: number }

export type Model = {
  status: "NONE" | "DRAFT" | "OPEN" | "WITHDRAWN" | "EXPIRED" | "DELETED"
  /** v3 writes to everybody at once, v1 and v2 to those whose turn it is. */
  writesToAll: boolean
  people: Person[]
  entries: GroupEntry[]
  /** Everybody who was ever asked, those too who no longer are. */
  readonly known: Person[]
  readonly groups: Group[]
  /** Which of the two documents it is about, and what it says. */
  document: 0 | 1
  message: string | null
  /** Whether it has a last day, and whether that is over. */
  lastDay: "none" | "ahead" | "over"
}

export const newModel = (): Model => ({
  status: "NONE",
  writesToAll: false,
  people: [],
  entries: [],
  known: [],
  groups: [],
  document: 0,
  message: null,
  lastDay: "none",
})

export function statusOf({ status, people }: Model): string {
  if (status !== "OPEN") return status
  if (people.some((p) => p.state === "DECLINED")) return "DECLINED"
  return people.length > 0 && people.every((p) => p.state === "SIGNED") ? "SIGNED" : "OPEN"
}

export const isAlive = (model: Model): boolean => ["DRAFT", "OPEN"].includes(statusOf(model))
export const isUntouched = ({ people }: Model): boolean => people.every((p) => p.state === "OPEN")

/** Smallest first; who has no number, at any time. */
export function turn({ people }: Model): readonly Person[] {
  const open = people.filter((p) => p.state === "OPEN")
  const first = Math.min(...open.map((p) => p.place ?? Number.POSITIVE_INFINITY))
  return open.filter((p) => p.place === null || p.place === first)
}

export const newAddress = (): string => `${randomBytes(8).toString("hex")}@example.org`

export const newPerson = (place: number | null, email = newAddress()): Person => ({
  email,
  place,
  state: "OPEN",
  mails: [],
  seen: { count: 0, newest: 0, link: null },
})

/** Decisions, "v3 groups": behind everything that has a place, where none is given. */
export const placeOf = (place: number | null, taken: readonly (number | null)[]): number =>
  place ?? Math.max(0, ...taken.map((one) => one ?? 0)) + 1

/** Who comes in now hears of it at once where the request is OPEN, also when others sign first. */
export function join(model: Model, people: readonly Person[]): void {
  model.known.push(...people)
  changed(
    model,
    () => {
      model.people = [...model.people, ...people]
    },
    people,
  )
}

export function leave(model: Model, person: Person): void {
  changed(model, () => {
    model.people = model.people.filter((p) => p !== person)
  })
}

export function act(model: Model, person: Person, state: "SIGNED" | "DECLINED"): void {
  changed(model, () => {
    person.state = state
  })
  if (state === "DECLINED") tell(model, "declined", person)
}

export function open(model: Model): void {
  const members = model.entries.flatMap(({ group, place }) => group.members.map((m) => newPerson(place, m)))
  model.known.push(...members)
  model.people = [...model.people, ...members]
  model.entries = []
  begin(model)
}

/** All others are forgotten, without a word. */
export function replace(model: Model, people: readonly Person[], entries: readonly GroupEntry[]): void {
  model.known.push(...people)
  model.people = [...people]
  model.entries = [...entries]
  if (model.status === "OPEN") open(model)
}

export function end(model: Model, status: "WITHDRAWN" | "EXPIRED" | "DELETED"): void {
  const wasOpen = statusOf(model) === "OPEN"
  model.status = status
  if (wasOpen) tell(model, status === "EXPIRED" ? "expired" : "withdrawn")
}

function begin(model: Model): void {
  model.status = "OPEN"
  for (const person of model.writesToAll ? model.people : turn(model)) person.mails.push("invitation")
}

/** A first mail for whom the turn has come to, or a second one for who knew of it already. */
function changed(model: Model, change: () => void, atOnce: readonly Person[] = []): void {
  const before = turn(model)
  change()
  if (statusOf(model) === "SIGNED") tell(model, "completed")
  if (statusOf(model) !== "OPEN") return
  const now = turn(model).filter((person) => !before.includes(person))
  for (const person of model.people) {
    if (person.mails.length === 0 && [...now, ...atOnce].includes(person)) person.mails.push("invitation")
    else if (now.includes(person)) person.mails.push("your-turn")
  }
}

/** An end is told to those who knew of the request, but for the one who brought it about. */
function tell({ people }: Model, mail: Mail, by?: Person): void {
  for (const person of people) if (person !== by && person.mails.length > 0) person.mails.push(mail)
}
