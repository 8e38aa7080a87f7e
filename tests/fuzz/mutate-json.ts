// Changes to JSON that leave it JSON: a value becomes one of another kind, moves, goes or comes twice. Most octets of a text that is
// changed blindly end in a syntax error, and what reads the values behind it is tested no further.

import { mutateText } from "./mutate-words.ts"
import type { Random } from "./random.ts"

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The input with one change in its tree; null where it is no JSON, and has to be changed as a text. */
export function mutateJson(
  input: Uint8Array,
  pool: readonly Uint8Array[],
  words: readonly string[],
  random: Random,
): Uint8Array | null {
  const tree = parsed(input)
  if (tree === undefined) return null
  const places = placesIn(tree)
  const place = random.pick(places)
  const change = random.pick(CHANGES)
  const other = random.chance(0.5) ? tree : (parsed(random.pick(pool)) ?? tree)
  const put = change(place.value, { other, words, random })
  place.put?.(put)
  const changed = place.put === null ? put : tree
  const text = JSON.stringify(changed === undefined ? null : changed)
  return Buffer.from(random.chance(0.1) ? respelt(text, random) : text)
}

type Means = { readonly other: Json; readonly words: readonly string[]; readonly random: Random }

const ODD: readonly Json[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324],
  ...[
    "",
    " ",
    "0",
    "null",
    "\0",
    "\ud800",
    "\u202e",
    "a".repeat(300),
    "AAAA",
    "AA==",
    "AA-_",
    "https://a.example/",
  ],
  [],
  {},
  [[]],
  [null],
  { toString: 1, valueOf: 1 },
  { length: 1 },
]

const CHANGES: readonly ((value: Json, means: Means) => Json | undefined)[] = [
  (_, { random }) => random.pick(ODD),
  (_, { other, random }) => copied(random.pick(placesIn(other)).value),
  () => undefined,
  (value, { words, random }) =>
    typeof value === "string" ? mutateText(value, words, random) : numbered(value, random),
  (value, { words, random }) => (typeof value === "string" ? mutateText(value, words, random) : [value]),
  (value, { words, random }) => {
    if (Array.isArray(value)) return [...value, ...copied(value)]
    if (isObject(value)) return { ...value, [nameOf(value, words, random)]: random.pick(ODD) }
    return { [words.length > 0 ? random.pick(words) : "a"]: value }
  },
  // A name becomes another, its value stays.
  (value, { words, random }) => {
    if (!isObject(value) || Object.keys(value).length === 0) return value
    const name = random.pick(Object.keys(value))
    const { [name]: moved = null, ...rest } = value
    return { ...rest, [nameOf(value, words, random)]: moved }
  },
  (value) => (Array.isArray(value) ? value.toReversed() : value),
  (value, { random }) => nested(value, random.pick([2, 25, 200])),
]

function numbered(value: Json, random: Random): Json {
  if (typeof value !== "number") return value
  return random.pick([value + 1, value - 1, -value, value * 1000, value / 3, String(value)])
}

function nameOf(value: Readonly<Record<string, Json>>, words: readonly string[], random: Random): string {
  const names = [...Object.keys(value), ...words, "__proto__", "constructor", "toString", ""]
  return random.pick(names)
}

function nested(value: Json, depth: number): Json {
  let around = value
  for (let left = depth; left > 0; left--) around = [around]
  return around
}

type Place = { readonly value: Json; readonly put: ((value: Json | undefined) => void) | null }

const MAX_PLACES = 2_000

/** Every value, and how another is put there; nothing takes it away. */
function placesIn(root: Json): readonly Place[] {
  const places: Place[] = [{ value: root, put: null }]
  for (let at = 0; at < places.length && places.length < MAX_PLACES; at++) {
    const value = places[at]?.value
    if (Array.isArray(value))
      for (const [i, item] of value.entries())
        places.push({
          value: item,
          put: (given) => value.splice(i, 1, ...(given === undefined ? [] : [given])),
        })
    else if (value !== undefined && isObject(value))
      for (const [name, item] of Object.entries(value))
        places.push({ value: item, put: (given) => set(value, name, given) })
  }
  return places
}

function set(of: Record<string, Json>, name: string, value: Json | undefined): void {
  if (value === undefined) delete of[name]
  else Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The same value in another spelling: escaped letters, white space, a name that is there twice. */
function respelt(text: string, random: Random): string {
  const ways: readonly (() => string)[] = [
    () => text.replace(/[a-z](?=[^"]*")/, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
    () => text.replace(/[,:[{]/g, (mark) => `${mark}\n `),
    () => text.replace(/("[^"\\]*":)([^,{}[\]]*)/, (member, name) => `${name}null,${member}`),
    () => `\ufeff${text}`,
  ]
  return random.pick(ways)()
}

const copied = <T extends Json>(value: T): T => structuredClone(value)

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function parsed(input: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(input).toString())
  } catch {
    return undefined
  }
}
