// One more revision behind a signed file, by somebody who did not sign it.

import { ref } from "./contract.ts"
import type { SignedBase } from "./signed.ts"
import { objectStream, type Place, section, type Xref } from "./write.ts"

export type Objects = readonly (readonly [number, string])[]

export type Revision = {
  readonly objects?: Objects
  /** In an object stream, where the file has such. */
  readonly packed?: Objects
  /** Numbers that from now on stand for nothing. */
  readonly freed?: readonly number[]
  /** Numbers that from now on stand for what is already at another place of the file. */
  readonly moved?: ReadonlyMap<number, Place>
  readonly root?: number
  /** More entries of the trailer. */
  readonly trailer?: string
  /** Null: none. */
  readonly previous?: number | null
  readonly xref?: Xref
}

/** The signed file, and behind it what the attacker appends. */
export function append(base: SignedBase, revision: Revision): Buffer {
  const { body, places, next } = bodyOf(base, revision)
  const at = base.bytes.length + body.length
  const end = section(revision.xref ?? base.xref, at, places, next, trailerOf(base, revision))
  return Buffer.concat([base.bytes, Buffer.from(body + end, "latin1")])
}

export function bodyOf(
  base: SignedBase,
  { objects = [], packed = [], freed = [], moved = new Map() }: Revision,
) {
  const places = new Map<number, Place>()
  let body = ""
  const add = (number: number, object: string) => {
    places.set(number, base.bytes.length + body.length)
    body += `${number} 0 obj\n${object}\nendobj\n`
  }
  for (const [number, object] of objects) add(number, object)
  let next = Math.max(base.free, ...[...objects, ...packed].map(([number]) => number + 1))
  if (packed.length > 0) {
    add(next, objectStream(packed))
    for (const [at, [number]] of packed.entries()) places.set(number, { in: next, at })
    next += 1
  }
  for (const number of freed) places.set(number, "free")
  for (const [number, place] of moved) places.set(number, place)
  return { body, places, next }
}

export function trailerOf(base: SignedBase, { root = 1, trailer = "", previous }: Revision): string {
  const id = rawOf(base.trailer, "ID")
  const before = previous === undefined ? base.startxref : previous
  const prev = before === null ? "" : `/Prev ${before}`
  return `/Root ${ref(root)} ${id === undefined ? "" : `/ID ${id}`} ${prev} ${trailer}`
}

type Dict = SignedBase["trailer"]

function rawOf({ entries, bytes }: Dict, key: string): string | undefined {
  const found = entries.get(key)
  return found && Buffer.from(bytes.subarray(found.valueStart, found.end)).toString("latin1").trim()
}

function dictOf(base: SignedBase, number: number): Dict {
  const value = base.read(number)
  if (typeof value === "object" && value?.type === "dict") return value
  throw new Error(`Object ${number} is not a dictionary.`)
}

/** The value of an entry as it stands in the file. */
export function entryOf(base: SignedBase, number: number, key: string): string {
  return rawOf(dictOf(base, number), key) ?? "null"
}

/** The dictionary as it is now, with some entries changed, and without those that are null. */
export function changed(
  base: SignedBase,
  number: number,
  entries: Readonly<Record<string, string | null>>,
): string {
  const dict = dictOf(base, number)
  const kept = [...dict.entries.keys()]
    .filter((key) => !(key in entries))
    .map((key) => `/${key} ${rawOf(dict, key)}`)
  const put = Object.entries(entries).flatMap(([key, value]) => (value === null ? [] : [`/${key} ${value}`]))
  return `<< ${[...kept, ...put].join(" ")} >>`
}

/** An array entry with more in it; one that stands in an object of its own is repeated in place. */
export function withMore(base: SignedBase, number: number, key: string, more: readonly number[]): string {
  const now = arrayOf(base, number, key)
  return `[${[...now, ...more.map(ref)].join(" ")}]`
}

export function without(base: SignedBase, number: number, key: string, less: readonly number[]): string {
  const gone = less.map(ref)
  return `[${arrayOf(base, number, key)
    .filter((one) => !gone.includes(one))
    .join(" ")}]`
}

function arrayOf(base: SignedBase, number: number, key: string): string[] {
  const now = entryOf(base, number, key)
  const elsewhere = /^(\d+) 0 R$/.exec(now)?.[1]
  const value = elsewhere === undefined ? now : rawArray(base, Number(elsewhere))
  return [...value.matchAll(/\d+ \d+ R/g)].map(([one]) => one)
}

function rawArray(base: SignedBase, number: number): string {
  const value = base.read(number)
  if (typeof value !== "object" || value?.type !== "array") return "[]"
  return Buffer.from(value.bytes.subarray(value.start, value.end)).toString("latin1")
}
