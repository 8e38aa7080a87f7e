import { closeSync, openSync, readSync } from "node:fs"
import { basename } from "node:path"
import type { OpenArchive } from "@paraph/verifying/archive"
import { isArchive, MAX_FILE_BYTES } from "@paraph/verifying/take-in"
import { type Entry, open, type ZipFile } from "yauzl"
import { NotUnderstood } from "./not-understood.ts"

/** By how it begins. */
export function isArchiveAt(path: string): boolean {
  const begin = new Uint8Array(4)
  try {
    const file = openSync(path, "r")
    readSync(file, begin)
    closeSync(file)
  } catch {
    throw new NotUnderstood(`${path} cannot be read.`)
  }
  return isArchive(begin)
}

/** By its directory at the end: of an archive of many gigabytes one file is read at a time. */
export async function openArchive(
  path: string,
): Promise<{ readonly archive: OpenArchive; readonly close: () => void }> {
  const zip = await opened(path)
  const entries = await entriesOf(zip).catch((error: Error) => {
    throw new NotUnderstood(`${path} is no whole archive (${error.message}).`)
  })
  const read = async (name: string) => {
    const entry = entries.get(name)
    if (entry === undefined) throw new Error(`There is no ${name}.`)
    return entry.uncompressedSize > MAX_FILE_BYTES ? null : contentOf(zip, entry)
  }
  const paths = [...entries.keys()].filter((name) => !name.endsWith("/"))
  return { archive: { name: basename(path), paths, read }, close: () => zip.close() }
}

const opened = (path: string): Promise<ZipFile> =>
  new Promise((done, fail) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error === null ? done(zip) : fail(new NotUnderstood(`${path} is no whole archive (${error.message}).`)),
    )
  })

/** A name that is there twice could be one file for the check and another for whoever unpacks it. */
function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  return new Promise((done, fail) => {
    zip.on("error", fail)
    zip.on("end", () => done(entries))
    zip.on("entry", (entry: Entry) => {
      if (entries.has(entry.fileName)) return fail(new Error(`${entry.fileName} is there twice`))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

/** Nothing where its pieces are not what the directory says: then it is not what the list says either. */
async function contentOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of await streamOf(zip, entry)) pieces.push(piece as Uint8Array)
    return Buffer.concat(pieces)
  } catch {
    return new Uint8Array()
  }
}

const streamOf = (zip: ZipFile, entry: Entry): Promise<AsyncIterable<unknown>> =>
  new Promise((done, fail) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? done(stream) : fail(error)))
  })
