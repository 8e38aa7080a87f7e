// What lies in a backup: a folder that anybody can check with `sha256sum --check objects.sha256`.

import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { isName, PREFIX } from "@paraph/store/blobs/bucket"
import { Failed } from "../failed.ts"

export const FORMAT = "paraph-backup/1"

export const FILES = {
  manifest: "manifest.json",
  database: "database.dump",
  objects: "objects.sha256",
} as const

export type Summed = { readonly bytes: number; readonly sha256: string }

export type Manifest = {
  readonly format: typeof FORMAT
  readonly at: string
  /** In the format of pg_dump -Fc, as of one moment. */
  readonly database: Summed
  /** The list of objects, one line each as sha256sum writes it. */
  readonly objects: Summed & { readonly count: number; readonly objectBytes: number }
  /** Objects that rows name and the bucket did not have. */
  readonly missing: readonly string[]
  readonly "not-included": readonly string[]
}

/** What opens it must not lie beside it. */
export const NOT_INCLUDED = [
  "the operator's key (KEK), without which no document can be opened",
  "the tokens of the HSM with the keys that sign",
  "KEY_PEPPER, TOKEN_KEY and the other secrets of the settings",
] as const

/** Where an object lies in the folder: in up to 256 others, since some file systems dislike a million names in one. */
export function placeOf(name: string): string {
  if (!isName(name)) throw new Failed(`${name} is no name of an object.`)
  const own = name.slice(PREFIX.length)
  return join("objects", own.slice(0, 2), own)
}

export const lineOf = (name: string, sha256: string): string => `${sha256}  ${placeOf(name)}\n`

export async function* listedIn(
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly sha256: string }> {
  const lines = createInterface({ input: createReadStream(join(folder, FILES.objects)) })
  for await (const line of lines) {
    const [, sha256 = "", own = ""] =
      /^([0-9a-f]{64}) {2}objects\/[0-9a-f]{2}\/([0-9a-z.-]+)$/.exec(line) ?? []
    const name = `${PREFIX}${own}`
    if (!isName(name)) throw new Failed(`${FILES.objects} has a line that is none.`)
    yield { name, sha256 }
  }
}

export async function summed(path: string): Promise<Summed> {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest("hex") }
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, FILES.manifest), "utf8").catch(() => {
    throw new Failed(`${folder} is no whole backup: it has no ${FILES.manifest}.`)
  })
  const read = parsed(text)
  if (read?.format !== FORMAT) throw new Failed(`${folder} is of another format than ${FORMAT}.`)
  if (!isManifest(read)) throw new Failed(`${folder} is no whole backup: ${FILES.manifest} is damaged.`)
  return read
}

type Json = Readonly<Record<string, unknown>>

/** Null where it is no object. */
function parsed(text: string): Json | null {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : null
  } catch {
    return null
  }
}

function isManifest(read: Json): read is Manifest & Json {
  const { at, database, objects, missing } = read
  return (
    typeof at === "string" &&
    isSummed(database) &&
    isSummed(objects) &&
    Number.isSafeInteger(objects.count) &&
    Array.isArray(missing) &&
    missing.every((name) => typeof name === "string")
  )
}

const isSummed = (it: unknown): it is Json =>
  isObject(it) && typeof it.sha256 === "string" && /^[0-9a-f]{64}$/.test(it.sha256)

const isObject = (it: unknown): it is Json => typeof it === "object" && it !== null && !Array.isArray(it)
