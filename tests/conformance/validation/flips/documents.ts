// Documents that pass as they are: of our own engine, every level, kind of key and kind of file, and some that others signed.

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writePaper } from "@paraph/pades/paper"
import { raise } from "@paraph/pades/raise"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { writeInputs } from "../../inputs.ts"
import { ALGORITHMS, type Algorithm, type Level, newSigner, servicesOf, signOnce } from "../../matrix.ts"
import { foreignFiles } from "../inputs.ts"
import { recording } from "./answers.ts"
import { judge, type Passed, passedParts } from "./signed-part.ts"

/** Plain data, which goes to a thread. */
export type Document = Passed & { readonly name: string }

type Own = readonly [input: keyof Inputs, algorithm: Algorithm, level: Level, signatures: number]
const OWN: readonly Own[] = [
  ["classic", "P-256", "B-B", 1],
  ["classic", "RSA-2048", "B-B", 1],
  ["xref-stream", "P-256", "B-T", 1],
  ["hybrid", "RSA-PSS", "B-T", 1],
  ["linearised", "P-384", "B-LT", 1],
  ["xref-stream", "RSA-2048", "B-LT", 1],
  ["classic", "P-256", "B-LTA", 1],
  ["PDF/A", "P-384", "B-LTA", 1],
  ["classic", "P-256", "B-B", 3],
  ["xref-stream", "P-256", "B-LTA", 2],
]

/** They bring their own roots and evidence along. */
const FOREIGN = [
  "dss/dss-pades/validation/DSS-3226.pdf then",
  "dss/dss-pades/validation/dss-1376/DSS1376-rev_n-5.pdf then",
  "dss/dss-pades/validation/doc-firmado.pdf then",
  "pyhanko/minimal-two-fields-signed-twice.pdf then",
  "pyhanko/pades-lta-dss-indirect-arrs-test-2.pdf then",
]

export async function passedDocuments(sandbox: TrustSandbox, corpora?: string): Promise<readonly Document[]> {
  const inputs = await baseFiles()
  const documents: Document[] = []
  for (const own of OWN) documents.push(await ownDocument(sandbox, inputs, own))
  const foreign = corpora === undefined ? [] : foreignFiles(corpora)
  for (const { title, file, at, anchors } of foreign.filter((one) => FOREIGN.includes(one.title))) {
    const roots = anchors.map(({ der }) => der)
    documents.push(await documentOf(title, { bytes: readFileSync(file), at, roots, answers: {} }))
  }
  return documents
}

async function ownDocument(
  sandbox: TrustSandbox,
  inputs: Inputs,
  [input, algorithm, level, signatures]: Own,
): Promise<Document> {
  let bytes = inputs[input]
  for (let i = 0; i < signatures; i++) {
    const signer = await newSigner(sandbox, algorithm, `Ada ${i}`)
    bytes = await signOnce(sandbox, bytes, signer, level !== "B-B", { algorithm: ALGORITHMS[algorithm] })
  }
  const services = servicesOf(sandbox)
  if (level === "B-LT" || level === "B-LTA")
    bytes = Buffer.concat([bytes, await raise(bytes, { to: level, ...services })])
  // What a lower level lacks is asked for once, and answered the same to every flip.
  const { answers, ports } = recording(services.revocation.fetchCrl)
  const known = { bytes, at: new Date(), roots: [sandbox.root], answers }
  await judge(known, bytes, ports)
  return documentOf(`${level} ${algorithm} ${input} ×${signatures}`, known)
}

async function documentOf(name: string, known: Omit<Passed, "parts">): Promise<Document> {
  const parts = await passedParts(known)
  // A document that does not pass shows nothing when it fails.
  if (!parts.some(({ type }) => type === "signature")) throw new Error(`${name} does not pass as it is.`)
  return { name, ...known, parts }
}

type Inputs = Awaited<ReturnType<typeof baseFiles>>

async function baseFiles() {
  const folder = mkdtempSync(join(tmpdir(), "paraph-flips-"))
  try {
    const paths = await writeInputs(folder)
    const read = (path: string): Uint8Array => readFileSync(path)
    return {
      classic: read(paths.classic),
      "xref-stream": read(paths["xref-stream"]),
      linearised: read(paths.linearised),
      hybrid: read(paths.hybrid),
      "PDF/A": paper(),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const paper = (): Uint8Array =>
  writePaper({
    title: "A contract",
    language: "en",
    madeAt: new Date("2026-11-01T00:00:00Z"),
    producer: "Paraph",
    blocks: [{ type: "paragraph", text: "The price is CHF 1000.00." }],
    footer: () => ["A contract", "1"],
  })
