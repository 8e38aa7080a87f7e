// Twenty signatures on one document: each further one with the hash that is carried on, and all of them digested again in
// one pass, as whoever validates them does.

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { baseOf, grow } from "@paraph/pades/base"
import { digestRanges } from "@paraph/pades/digest-ranges"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { type Effort, fastest, type Spent, startWatch } from "./fastest.ts"
import { type Identity, type IdentityFiles, readIdentity } from "./identity-files.ts"
import { fileOf, type Input } from "./inputs.ts"
import { signOnce } from "./paraph.ts"

export const SIGNATURES = 20

export type TwentyRow = {
  readonly file: string
  readonly signatures: number
  /** One SHA-256 over the whole file, and nothing else. */
  readonly bare: Spent
  readonly digest: Spent
  readonly firstSignature: Spent
  /** The median of the others. */
  readonly furtherSignature: Spent
}

export async function measureTwenty(input: Input, files: IdentityFiles, effort: Effort): Promise<TwentyRow> {
  const signed = signRepeatedly(new Uint8Array(readFileSync(fileOf(input))), readIdentity(files))
  const pdf = Buffer.concat([...signed.parts])
  const source = bytesSource(pdf)
  const ranges = readSignatures(openPdf(source)).flatMap(({ byteRange }) => (byteRange ? [byteRange] : []))
  if (ranges.length !== SIGNATURES) throw new Error(`${ranges.length} signatures can be read.`)
  const { bare, digest } = await fastest(
    {
      bare: () => createHash("sha256").update(pdf).digest(),
      digest: () => digestRanges(source, ranges, "sha256"),
    },
    effort,
  )
  const [firstSignature = bare, ...further] = signed.spent
  const furtherSignature = median(further)
  return { file: input.name, signatures: ranges.length, bare, digest, firstSignature, furtherSignature }
}

/** The document and the tails behind it, and what each took. */
export function signRepeatedly(pdf: Uint8Array, identity: Identity) {
  const parts = [pdf]
  const spent: Spent[] = []
  let base = baseOf(pdf)
  for (let i = 1; i <= SIGNATURES; i++) {
    const stop = startWatch()
    const tail = signOnce(base, identity, `Paraph-${i}`)
    base = grow(base, tail)
    spent.push(stop())
    parts.push(tail)
  }
  return { parts, spent }
}

function median(all: readonly Spent[]): Spent {
  const middle = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
  return {
    clockMs: middle(all.map(({ clockMs }) => clockMs)),
    processorMs: middle(all.map(({ processorMs }) => processorMs)),
  }
}
