// The contract, signed in every way that matters to an attacker: how the file is organised, who certified what, how far the
// signature was raised, and whether it is seen.

import { makeAppearance } from "@paraph/pades/appearance"
import { openPdf, type Pdf, readNumber } from "@paraph/pades/document"
import { raise } from "@paraph/pades/raise"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { newSigner, type Signer, servicesOf, signOnce } from "../matrix.ts"
import { type Written, writeContract, type Xref } from "./write.ts"

export type Permission = 1 | 2 | 3
export type SignedBase = {
  readonly name: string
  readonly bytes: Buffer
  readonly xref: Xref
  readonly level: "B-B" | "B-LTA"
  readonly certified: Permission | "none"
  readonly signatures: 1 | 2
  readonly visible: boolean
  /** Where the first revision has a second version of an object. */
  readonly twins: Written["twins"]
  readonly trailer: Pdf["trailer"]
  /** Objects as they are, each read once: the reader of the engine bounds what it reads. */
  readonly read: (number: number) => Value
  /** The number of the first object that nobody has used. */
  readonly free: number
  readonly startxref: number
  /** Of the first signature: its object, and its byte range. */
  readonly signature: {
    readonly object: number
    readonly field: number
    readonly range: readonly [number, number, number, number]
  }
}

export type Value = NonNullable<ReturnType<typeof readNumber>>["value"] | undefined

type Kind = Pick<SignedBase, "xref" | "level" | "certified" | "signatures" | "visible">

const kind = (
  xref: Xref,
  certified: Kind["certified"],
  more: Partial<Pick<Kind, "level" | "signatures" | "visible">> = {},
): Kind => ({ xref, certified, level: "B-B", signatures: 1, visible: false, ...more })

const KINDS: readonly Kind[] = [
  kind("table", "none"),
  kind("stream", "none", { visible: true }),
  kind("table", 1, { visible: true }),
  kind("stream", 1),
  kind("table", 2),
  kind("stream", 2, { visible: true }),
  kind("table", 3, { visible: true }),
  kind("stream", 3),
  kind("table", "none", { level: "B-LTA" }),
  kind("stream", 2, { level: "B-LTA", visible: true }),
  kind("table", "none", { signatures: 2, visible: true }),
  kind("stream", 3, { level: "B-LTA", signatures: 2 }),
  kind("table", 1, { level: "B-LTA" }),
]

/** Keys are made once; every base is signed by the same two persons. */
export async function makeBases(sandbox: TrustSandbox): Promise<readonly SignedBase[]> {
  const signers = await Promise.all(["Ada", "Ben"].map((name) => newSigner(sandbox, "P-256", name)))
  const looks = await Promise.all(
    signers.map(({ name }) => makeAppearance({ ...BOX, lines: [name, "has signed"] })),
  )
  const bases: SignedBase[] = []
  for (const one of KINDS) bases.push(await signBase(sandbox, one, signers, looks))
  return bases
}

const BOX = { width: 180, height: 50 }

async function signBase(
  sandbox: TrustSandbox,
  one: Kind,
  signers: readonly Signer[],
  looks: readonly Awaited<ReturnType<typeof makeAppearance>>[],
): Promise<SignedBase> {
  const { bytes: contract, twins } = writeContract(one.xref)
  let bytes: Uint8Array = contract
  for (const [i, signer] of signers.slice(0, one.signatures).entries()) {
    const appearance = looks[i]
    const shown =
      one.visible && appearance ? { appearance, place: { page: 0, x: 72, y: 200 + 70 * i, ...BOX } } : {}
    const certify = i === 0 && one.certified !== "none" ? { certify: one.certified } : {}
    const options = { algorithm: "ecdsa-sha256" as const, ...shown, ...certify }
    bytes = await signOnce(sandbox, bytes, signer, one.level !== "B-B", options)
  }
  if (one.level === "B-LTA")
    bytes = Buffer.concat([bytes, await raise(bytes, { to: "B-LTA", ...servicesOf(sandbox) })])
  return described(Buffer.from(bytes), one, twins)
}

function described(bytes: Buffer, one: Kind, twins: Written["twins"]): SignedBase {
  const pdf = openPdf(bytesSource(bytes))
  const range = readSignatures(pdf)[0]?.byteRange
  if (range === undefined) throw new Error("The base is not signed.")
  const name = `${one.xref} ${one.level} P=${one.certified} ×${one.signatures}${one.visible ? " seen" : ""}`
  const latin = bytes.toString("latin1")
  const start = latin.slice(0, range[1])
  const object = Number(/.*\s(\d+) 0 obj/s.exec(start)?.[1])
  const field = Number(new RegExp(`(\\d+) 0 obj(?:(?!endobj)[^])*?/V ${object} 0 R`).exec(latin)?.[1])
  const startxref = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(latin)?.[1])
  return {
    ...one,
    name,
    bytes,
    twins,
    trailer: pdf.trailer,
    read: reading(pdf),
    free: pdf.nextNumber,
    startxref,
    signature: { object, field, range: [...range] as unknown as SignedBase["signature"]["range"] },
  }
}

function reading(pdf: Pdf): SignedBase["read"] {
  const known = new Map<number, Value>()
  return (number) => {
    if (!known.has(number)) known.set(number, readNumber(pdf, number)?.value)
    return known.get(number)
  }
}
