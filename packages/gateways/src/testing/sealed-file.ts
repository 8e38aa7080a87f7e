import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { SealedFile } from "@paraph/seal/file"
import { seal } from "@paraph/seal/stream"
import { newKey } from "@paraph/seal/wrap"

/** For tests: the bytes as they lie in the spool, with a key of their own. */
export async function sealedFileOf(bytes: Uint8Array, folder: string): Promise<SealedFile> {
  const name = randomUUID()
  const file = { path: join(folder, name), key: newKey(), context: name, sizeBytes: bytes.length }
  await writeFile(file.path, seal(file.key, file.context, once(bytes)))
  return file
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
