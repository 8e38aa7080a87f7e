import { createHash } from "node:crypto"
import { once } from "node:events"
import { Readable } from "node:stream"
import { ZipFile } from "yazl"

/** One file of an archive; what is packed already is only put into it. */
export type ArchivedFile = {
  readonly path: string
  readonly at: Date
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly isPacked: boolean
}

export type Listed = { readonly path: string; readonly bytes: number; readonly sha256: string }

/**
 * A ZIP archive, written as fast as its reader takes it: a file is asked for when the one before is through, so that no more than
 * a piece of one is held. `last` is made of what all the others were. Where one fails the answer breaks off, and is no archive.
 */
export function archiveOf(
  files: AsyncIterable<ArchivedFile>,
  last: (listed: readonly Listed[]) => ArchivedFile,
): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  zip.on("error", (error: Error) => out.destroy(error))
  const write = async () => {
    const listed: Listed[] = []
    for await (const file of files) {
      if (out.destroyed) return
      listed.push(await added(zip, out, file))
    }
    await added(zip, out, last(listed))
    zip.end()
  }
  write().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  return out
}

/** Resolves when the last of its bytes was taken; rejects where nobody takes any more. */
async function added(
  zip: ZipFile,
  out: Readable,
  { path, at, bytes, isPacked }: ArchivedFile,
): Promise<Listed> {
  const hash = createHash("sha256")
  let length = 0
  async function* counted() {
    for await (const piece of bytes) {
      hash.update(piece)
      length += piece.length
      yield piece
    }
  }
  const source = Readable.from(counted(), { objectMode: false })
  const given = lent(source)
  const gone = () => void source.destroy(new Error("Nobody reads the archive any more."))
  out.once("close", gone)
  try {
    if (out.destroyed) gone()
    else
      apart(() => zip.addReadStreamLazy(path, { compress: !isPacked, mtime: at, mode: 0o100644 }, given.to))
    await once(source, "close")
    if (source.errored !== null) throw source.errored
  } finally {
    given.back()
    out.off("close", gone)
  }
  return { path, bytes: length, sha256: hash.digest("hex") }
}

/**
 * The archive keeps the function that it gets a file by until its own end. By one that still knew the stream, it would keep the buffers
 * of every file. So this one forgets; and it is made here, where it sees nothing else.
 */
function lent(source: Readable) {
  let left: Readable | undefined = source
  return {
    to: (take: (error: unknown, stream: Readable) => void) =>
      left === undefined
        ? take(new Error("The file was written already."), Readable.from([]))
        : take(null, left),
    back: () => {
      left = undefined
    },
  }
}

/**
 * Small buffers are cut from common ones of 64 KB, which stay for as long as one piece of them does. The archive keeps the name of every
 * file to its end, and by the name whatever was cut beside it. So names are made apart (`Buffer.poolSize` is there to be set).
 */
function apart(add: () => void): void {
  const before = Buffer.poolSize
  Buffer.poolSize = 0
  try {
    add()
  } finally {
    Buffer.poolSize = before
  }
}
