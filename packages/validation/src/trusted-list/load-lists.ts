// Follows trusted lists from those that the operator has configured: a list of lists with all that it points to, or one
// list. Each is believed only if it is signed by a certificate that the one who points to it names (ETSI TS 119 615, 4.1 and
// 4.2). A list that is wrong is a problem in the answer, and all others still count. What was believed is given back as the
// bytes that came, to be kept: with them, and nothing else, the same can be done again offline.

import {
  type BelievedList,
  type ExpectedList,
  isBelieved,
  judgeList,
  type ListProblem,
} from "./judge-list.ts"
import { climbPivots } from "./pivots.ts"
import type { Law, ListPointer, TrustedList, TrustService } from "./trusted-list.ts"

/** One that the operator names: where it is, by which law, and who signs it. */
export type ListSource = {
  readonly law: Law
  readonly address: string
  readonly form: "list-of-lists" | "list"
  /** The certificates of those who may sign it, DER: for the Union's, those of its Official Journal. */
  readonly signers: readonly Uint8Array[]
}

export type LoadOrder = {
  readonly sources: readonly ListSource[]
  /** Rejects, or gives undefined, where it cannot be had. Left out: offline, only what is known counts. */
  readonly fetchList?: (address: string) => Promise<Uint8Array | undefined>
  /** What an earlier load gave to keep, or files of the operator: by address. */
  readonly known: ReadonlyMap<string, Uint8Array>
  readonly now: Date
}

export type LoadedLists = {
  readonly lists: readonly LoadedList[]
  readonly services: readonly TrustService[]
  readonly problems: readonly ListProblem[]
  /** The bytes of every list that was believed, by address: for `known` of the next load. */
  readonly keep: ReadonlyMap<string, Uint8Array>
}

export type LoadedList = Pick<
  TrustedList,
  "form" | "territory" | "operator" | "sequenceNumber" | "issued" | "nextUpdate"
> & {
  readonly address: string
  readonly law: Law
  readonly signer: string
  readonly services: number
  readonly origin: Origin
}

type Origin = "fetched" | "known"

const MAX_POINTERS = 100
const AT_ONCE = 6

export async function loadTrustedLists(order: LoadOrder): Promise<LoadedLists> {
  const loading: Loading = { order, lists: [], services: [], problems: [], keep: new Map() }
  for (const source of order.sources) {
    const believed = await loadOne(loading, { ...source, territory: territoryOf(source) })
    if (believed?.form !== "list-of-lists") continue
    await inGroups(toFollow(loading, source, believed), (pointer) =>
      loadOne(loading, {
        ...pointer,
        law: source.law,
        signers: pointer.signers.map((signer) => new Uint8Array(Buffer.from(signer, "base64"))),
      }),
    )
  }
  const { lists, services, problems, keep } = loading
  return { lists, services, problems, keep }
}

// A list of one member state may be named by itself; which one it is, its address and its signer say.
function territoryOf({ law, form }: ListSource): string | undefined {
  return law === "EU" && form === "list" ? undefined : law
}

type Loading = {
  readonly order: LoadOrder
  readonly lists: LoadedList[]
  readonly services: TrustService[]
  readonly problems: ListProblem[]
  readonly keep: Map<string, Uint8Array>
}

/** What has come now if it is good and not older, else what is known. */
async function loadOne(loading: Loading, expected: ExpectedList): Promise<TrustedList | undefined> {
  const { order, problems } = loading
  const { address } = expected
  const knownBytes = order.known.get(address)
  const known = knownBytes && (await judgeWithPivots(loading, knownBytes, expected))
  const fetchedBytes = await fetched(loading, address)
  const isSame = fetchedBytes !== undefined && knownBytes !== undefined && equal(fetchedBytes, knownBytes)
  const now = isSame ? known : fetchedBytes && (await judgeWithPivots(loading, fetchedBytes, expected))
  for (const judged of new Set([now, known]))
    if (judged !== undefined && !isBelieved(judged)) problems.push(judged)
  const before = isBelieved(known) ? known.list.sequenceNumber : 0
  if (isBelieved(now) && now.list.sequenceNumber >= before) return accept(loading, expected, now, "fetched")
  if (isBelieved(now)) {
    const detail = `${now.list.sequenceNumber} came, ${before} is known`
    problems.push({ address, reason: "older-than-known", detail })
  }
  return isBelieved(known) ? accept(loading, expected, known, "known") : undefined
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.length).equals(other)
}

async function judgeWithPivots(
  loading: Loading,
  bytes: Uint8Array,
  expected: ExpectedList,
): Promise<BelievedList | ListProblem> {
  const { now, known } = loading.order
  const judged = judgeList(bytes, expected, now)
  if (isBelieved(judged) || judged.reason !== "unknown-signer" || expected.form !== "list-of-lists")
    return judged
  // A pivot never changes, so the one that we have is the one.
  const pivot = async (address: string) => known.get(address) ?? (await fetched(loading, address))
  const climbed = await climbPivots(bytes, expected, { pivot, now })
  if (climbed === undefined) return judged
  if (!("signers" in climbed)) return climbed
  const again = judgeList(bytes, { ...expected, signers: climbed.signers }, now)
  if (isBelieved(again)) for (const [address, kept] of climbed.pivots) loading.keep.set(address, kept)
  return again
}

// One list that cannot be had must not stop the others.
async function fetched({ order, problems }: Loading, address: string): Promise<Uint8Array | undefined> {
  if (order.fetchList === undefined) {
    if (!order.known.has(address)) problems.push({ address, reason: "not-fetched", detail: "offline" })
    return undefined
  }
  try {
    const bytes = await order.fetchList(address)
    if (bytes === undefined) problems.push({ address, reason: "not-fetched", detail: "nothing came" })
    return bytes
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : "nothing came"
    problems.push({ address, reason: "not-fetched", detail })
    return undefined
  }
}

function accept(
  loading: Loading,
  expected: ExpectedList,
  believed: BelievedList,
  origin: Origin,
): TrustedList {
  const { list, bytes, signer, unreadableServices } = believed
  const { address, law } = expected
  const { form, territory, operator, sequenceNumber, issued, nextUpdate } = list
  const services = list.services.length
  loading.lists.push({
    ...{ address, law, signer, services, origin },
    ...{ form, territory, operator, sequenceNumber, issued, nextUpdate },
  })
  loading.services.push(...list.services)
  loading.keep.set(address, bytes)
  const note = (reason: ListProblem["reason"], detail: string) =>
    loading.problems.push({ address, reason, detail })
  if (nextUpdate === null) note("closed", `since ${issued}`)
  else if (Date.parse(nextUpdate) < loading.order.now.getTime()) note("expired", `since ${nextUpdate}`)
  if (unreadableServices > 0) note("services-not-readable", `${unreadableServices} left out`)
  return list
}

// A list of lists points to itself as well, and may point to one list twice.
function toFollow({ problems }: Loading, { address }: ListSource, list: TrustedList): readonly ListPointer[] {
  const once = new Map(
    list.pointers.filter(({ form }) => form === "list").map((pointer) => [pointer.address, pointer]),
  )
  if (once.size > MAX_POINTERS)
    problems.push({ address, reason: "too-many-pointers", detail: `${once.size} lists` })
  return [...once.values()].slice(0, MAX_POINTERS)
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work))
}
