// Who signs the Union's list of lists today, if the Official Journal has named others (ETSI TS 119 615, 4.1): the list names
// earlier ones, pivots, each of which changed who signs the next. What a list says that nobody has verified yet is only
// where to look; every step is verified by the one before it.

import { type ExpectedList, isBelieved, judgeList, type ListProblem } from "./judge-list.ts"
import { readList } from "./read-list.ts"
import type { TrustedList } from "./trusted-list.ts"
import { readXml, XmlError } from "./xml-reader.ts"

export type Climbed = {
  readonly signers: readonly Uint8Array[]
  /** The pivots that were needed, by address. */
  readonly pivots: ReadonlyMap<string, Uint8Array>
}

export type PivotPorts = {
  readonly pivot: (address: string) => Promise<Uint8Array | undefined>
  readonly now: Date
}

const MAX_PIVOTS = 16

/** Undefined if no pivot is signed by anybody whom we know; a problem if one on the way up is wrong. */
export async function climbPivots(
  unverified: Uint8Array,
  expected: ExpectedList,
  ports: PivotPorts,
): Promise<Climbed | ListProblem | undefined> {
  const found: (readonly [string, Uint8Array])[] = []
  for (const address of pivotAddresses(unverified, expected)) {
    const bytes = await ports.pivot(address)
    if (bytes === undefined) return undefined
    found.unshift([address, bytes])
    if (isBelieved(judgeList(bytes, { ...expected, address }, ports.now)))
      return climb(found, expected, ports.now)
  }
  return undefined
}

// From the oldest up.
function climb(
  pivots: readonly (readonly [string, Uint8Array])[],
  expected: ExpectedList,
  now: Date,
): Climbed | ListProblem {
  let { signers } = expected
  for (const [address, bytes] of pivots) {
    const judged = judgeList(bytes, { ...expected, address, signers }, now)
    if (!isBelieved(judged)) return judged
    signers = signersOfItself(judged.list)
  }
  return { signers, pivots: new Map(pivots) }
}

/** A list of lists points to itself, with those who may sign it from then on. */
function signersOfItself({ pointers, territory }: TrustedList): readonly Uint8Array[] {
  const own = pointers.find((pointer) => pointer.form === "list-of-lists" && pointer.territory === territory)
  return (own?.signers ?? []).map((signer) => new Uint8Array(Buffer.from(signer, "base64")))
}

/** The newest first. */
function pivotAddresses(unverified: Uint8Array, expected: ExpectedList): readonly string[] {
  try {
    return readList(readXml(unverified), expected).list.pivots.slice(0, MAX_PIVOTS)
  } catch (error) {
    if (error instanceof XmlError) return []
    throw error
  }
}
