// What signing costs beyond the two things that nobody can save: one SHA-256 over the file and one signature.

import { createHash, type KeyObject, sign } from "node:crypto"
import { readFileSync } from "node:fs"
import { type Effort, fastest, type Spent } from "./fastest.ts"
import type { KeyKind } from "./identity.ts"
import { type IdentityFiles, readIdentity } from "./identity-files.ts"
import { fileOf, type Input } from "./inputs.ts"
import { signOnce } from "./paraph.ts"

export type InMemoryRow = {
  readonly file: string
  readonly key: KeyKind
  readonly bare: Spent
  /** The result is the tail to append. */
  readonly tail: Spent
  /** The result is the whole file, as other programs give it. */
  readonly whole: Spent
}

export async function measureInMemory(
  input: Input,
  key: KeyKind,
  files: IdentityFiles,
  effort: Effort,
): Promise<InMemoryRow> {
  const identity = readIdentity(files)
  const pdf = new Uint8Array(readFileSync(fileOf(input)))
  const { bare, tail } = await fastest(
    { bare: () => hashAndSign(pdf, identity.privateKey), tail: () => signOnce(pdf, identity) },
    effort,
  )
  // Apart, since the garbage of whole files would be collected on somebody else's account.
  const { whole } = await fastest({ whole: () => Buffer.concat([pdf, signOnce(pdf, identity)]) }, effort)
  return { file: input.name, key, bare, tail, whole }
}

function hashAndSign(pdf: Uint8Array, privateKey: KeyObject): Uint8Array {
  return sign("sha256", createHash("sha256").update(pdf).digest(), privateKey)
}
