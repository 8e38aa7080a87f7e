import { constants, createReadStream, createWriteStream, rmSync, statSync } from "node:fs"
import { copyFile, link } from "node:fs/promises"
import { basename } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as WebStream } from "node:stream/web"
import type { Paraph } from "@paraph/sdk"
import { NotUnderstood } from "./not-understood.ts"
import { type Progress, progress } from "./progress.ts"

/** Sends a PDF as it is read, and answers the id of its document. */
export async function upload(service: Paraph, path: string): Promise<string> {
  const { size } = statSync(path)
  const name = basename(path)
  const shown = progress(`Uploading ${name}`, size)
  try {
    // Opened for each attempt, so that a connection that broke is no reason to stop.
    const content = () =>
      Readable.toWeb(createReadStream(path).pipe(counting(shown))) as ReadableStream<Uint8Array>
    return (await service.v2.uploadDocument({ title: name, content })).id
  } finally {
    shown.end()
  }
}

/** Under its name only when it is whole, and never over a file. */
export async function download(service: Paraph, id: string, path: string): Promise<void> {
  const answer = await service.v2.download("/documents/{id}/content", {
    path: { id },
    headers: { Accept: "application/pdf" },
  })
  const whole = Number(answer.headers.get("content-length")) || null
  const shown = progress(`Downloading ${basename(path)}`, whole)
  const partial = `${path}.${process.pid}.partial`
  try {
    const from = Readable.fromWeb(answer.body as WebStream)
    await pipeline(from, counting(shown), createWriteStream(partial, { flags: "wx", mode: 0o600 }))
    await keep(partial, path)
  } finally {
    shown.end()
    rmSync(partial, { force: true })
  }
}

/** Both are refused where there is a file, which a new name would replace; not every file system has links. */
export async function keep(partial: string, path: string): Promise<void> {
  const place = () => link(partial, path).catch(() => copyFile(partial, path, constants.COPYFILE_EXCL))
  await place().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
    throw new NotUnderstood(`${path} is there already, and is not overwritten.`)
  })
}

export function counting({ show }: Progress): Transform {
  let done = 0
  return new Transform({
    transform(piece: Buffer, _, next) {
      done += piece.length
      show(done)
      next(null, piece)
    },
  })
}
