import { randomUUID } from "node:crypto"
import { createReadStream, mkdirSync, readdirSync, statSync, unlinkSync } from "node:fs"
import {
  access,
  constants,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  stat,
  unlink,
} from "node:fs/promises"
import { dirname, join } from "node:path"
import { crc32 } from "node:zlib"
import {
  assertName,
  assertRange,
  type Bucket,
  BucketLied,
  isName,
  type Listed,
  MARKS,
  type Mark,
  markOf,
  NameTaken,
  nameOfMark,
  ObjectMissing,
  PREFIX,
  type Range,
  RangeOutside,
  type SealedBytes,
} from "./bucket.ts"

/** A copy that has not been touched for this long is of a process that died. */
const ABANDONED_MS = 60 * 60 * 1_000

const PIECE_BYTES = 256 << 10

type Folders = { readonly root: string; readonly incoming: string; readonly documents: string }

/**
 * A bucket that is a folder, for a laptop. Objects lie in up to 256 folders by the first two digits of their names, so
 * that a list never holds all of them; whatever is not whole yet lies in `incoming`, where no list looks.
 */
export function createFolderBucket(root: string): Bucket {
  const folders = { root, incoming: join(root, "incoming"), documents: join(root, "documents") }
  for (const folder of [folders.incoming, folders.documents])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeAbandoned(folders.incoming)
  return {
    put: (name, file) => putFile(folders, name, file),
    get: (name, range) => readFile(folders, name, range),
    remove: async (name) => {
      await unlink(pathOf(folders, name).path).catch(unlessMissing)
    },
    list: (after) => listFiles(folders, after ?? PREFIX),
    markErased: (mark) => markFile(root, mark),
    listErased: () => listMarks(root),
    health: () => access(folders.documents, constants.R_OK | constants.W_OK | constants.X_OK),
    close: () => undefined,
  }
}

function removeAbandoned(incoming: string): void {
  for (const name of readdirSync(incoming)) {
    const path = join(incoming, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) unlinkSync(path)
  }
}

function pathOf({ documents }: Folders, name: string): { readonly shard: string; readonly path: string } {
  assertName(name)
  const own = name.slice(PREFIX.length)
  const shard = join(documents, own.slice(0, 2))
  return { shard, path: join(shard, own) }
}

/** A link is made or it is not, and never over another file: so an object is whole, and written once. */
async function putFile(folders: Folders, name: string, file: SealedBytes): Promise<void> {
  const { shard, path } = pathOf(folders, name)
  const copy = join(folders.incoming, randomUUID())
  try {
    await copyFile(file, copy)
    await makeShard(folders, shard)
    await link(copy, path)
    await sync(shard)
  } catch (error) {
    throw isCode(error, "EEXIST") ? new NameTaken(name, { cause: error }) : error
  } finally {
    await unlink(copy).catch(unlessMissing)
  }
}

/** Not with its parents: a bucket that was taken away is not begun anew under the same path. */
async function makeShard({ documents }: Folders, shard: string): Promise<void> {
  const made = await mkdir(shard, { mode: 0o700 }).then(() => true, unless("EEXIST"))
  if (made) await sync(documents)
}

async function copyFile(file: SealedBytes, path: string): Promise<void> {
  const copy = await open(path, "wx", 0o600)
  try {
    let [sizeBytes, sum] = [0, 0]
    for await (const piece of createReadStream(file.path, { highWaterMark: PIECE_BYTES })) {
      sum = crc32(piece, sum)
      sizeBytes += piece.length
      await copy.writeFile(piece)
    }
    if (sizeBytes !== file.sizeBytes) throw new Error("The file has another size than was said.")
    if (sum !== file.crc32 >>> 0) throw new Error("The file has another checksum than was said.")
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** A new name is only as durable as the folder that it stands in. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

async function* readFile(folders: Folders, name: string, range?: Range): AsyncGenerator<Uint8Array> {
  const { path } = pathOf(folders, name)
  if (range) assertRange(range)
  if (range && range.start === range.end) return
  const handle = await open(path).catch((error: unknown): FileHandle => {
    throw isCode(error, "ENOENT") ? new ObjectMissing(name, { cause: error }) : error
  })
  try {
    const { size } = await handle.stat()
    const { start, end } = range ?? { start: 0, end: size }
    if (end > size) throw new RangeOutside(name)
    if (start === end) return
    let at = start
    for await (const piece of handle.createReadStream({ start, end: end - 1, autoClose: false })) {
      at += piece.length
      yield piece
    }
    if (at !== end) throw new BucketLied(`The file of ${name} gave ${at} bytes of ${end}.`)
  } finally {
    await handle.close()
  }
}

async function* listFiles({ documents }: Folders, after: string): AsyncGenerator<Listed> {
  for (const shard of (await readdir(documents)).filter(isShard).sort()) {
    // Every name in an earlier folder comes before the one that is asked for.
    if (`${PREFIX}${shard}` < after.slice(0, PREFIX.length + 2)) continue
    for (const own of (await readdir(join(documents, shard))).sort()) {
      const name = `${PREFIX}${own}`
      if (name <= after || !isName(name)) continue
      const found = await stat(join(documents, shard, own)).catch(unlessMissing)
      if (found) yield { name, sizeBytes: found.size, modifiedAt: found.mtime }
    }
  }
}

async function markFile(root: string, mark: Mark): Promise<void> {
  const path = join(root, nameOfMark(mark))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, "a", 0o600)
  await handle.close()
  await sync(dirname(path))
}

async function* listMarks(root: string): AsyncGenerator<Mark> {
  const [abouts = []] = [await readdir(join(root, MARKS)).catch(unlessMissing)]
  for (const about of abouts)
    for (const id of await readdir(join(root, MARKS, about))) {
      const mark = markOf(`${MARKS}${about}/${id}`)
      if (mark !== null) yield mark
    }
}

/** A desktop leaves files of its own in a folder that it was shown. */
const isShard = (folder: string): boolean => /^[0-9a-f]{2}$/.test(folder)

const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === code

const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if (!isCode(error, code)) throw error
  }

/** What is gone already need not be removed, and is not listed. */
const unlessMissing = unless("ENOENT")
