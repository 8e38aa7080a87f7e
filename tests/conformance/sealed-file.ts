// A PDF as the rooms take one: sealed with a key of its own, in their folder.

import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { SealedFile } from "@paraph/seal/file"
import { seal } from "@paraph/seal/stream"
import { newKey } from "@paraph/seal/wrap"

export async function sealedFile(folder: string, bytes: Uint8Array): Promise<SealedFile> {
  const name = createHash("sha256").update(bytes).digest("hex")
  const file = { path: join(folder, name), key: newKey(), context: name, sizeBytes: bytes.length }
  const pieces: Uint8Array[] = []
  for await (const piece of seal(file.key, file.context, once(bytes))) pieces.push(piece)
  writeFileSync(file.path, Buffer.concat(pieces))
  return file
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
