// A signature that is shown at several places is the value of several fields, since a field has one annotation (ISO
// 32000-2, 12.7.5.5). Three people sign so, one after the other, and the document is raised: what do others say?

import { X509Certificate } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeAppearance } from "@paraph/pades/appearance"
import { raise } from "@paraph/pades/raise"
import { samplePdf } from "@paraph/pades/sample"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dss, pdfsig, pyhanko, qpdfFaults } from "./judges.ts"
import { newSigner, servicesOf, signOnce } from "./matrix.ts"

const NAMES = ["Ann", "Bea", "Cem"] as const
const BOX = { width: 150, height: 50 }
let sandbox: TrustSandbox
let folder = ""
let root = ""
let file = ""

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  folder = await mkdtemp(join(tmpdir(), "paraph-places-"))
  root = join(folder, "root.pem")
  await writeFile(root, new X509Certificate(sandbox.root).toString())
  file = join(folder, "signed.pdf")
  await writeFile(file, await signedByAll())
})

afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

/** On all three pages, each person beside the others; the last page shows it twice as large. */
async function signedByAll(): Promise<Uint8Array> {
  let signed: Uint8Array = samplePdf({ pages: 3 })
  for (const [i, name] of NAMES.entries()) {
    const appearance = await makeAppearance({ ...BOX, lines: [name, "TEST – no legal effect"] })
    const y = 60 + 120 * i
    const place = { page: 1, x: 60, y, ...BOX }
    const alsoAt = [
      { ...place, page: 0 },
      { page: 2, x: 60, y, width: 300, height: 100 },
    ]
    const signer = await newSigner(sandbox, "P-256", name)
    const options = { algorithm: "ecdsa-sha256", appearance, place, alsoAt } as const
    signed = await signOnce(sandbox, signed, signer, true, options)
  }
  return Buffer.concat([signed, await raise(signed, { to: "B-LTA", ...servicesOf(sandbox) })])
}

const FIELDS = NAMES.flatMap((name) => [name, `${name}-2`, `${name}-3`])

describe("three signatures, each shown at three places", () => {
  it("are three to EU DSS, all of them passed, and nothing has changed that may not", async () => {
    const verdict = (await dss({ anchors: [root] }, [file])).get(file)
    const clean = { undefinedChanges: [], visualDifferences: [], annotationOverlaps: [], pageDifferences: [] }
    const passed = { indication: "TOTAL_PASSED", level: "PAdES-BASELINE-LTA", errors: [], ...clean }
    expect(verdict?.signatures).toMatchObject(NAMES.map((field) => ({ field, ...passed })))
    // Java takes its time on a machine that does other work too.
  }, 300_000)

  it("are valid and trusted in every field to pyHanko, and each allows the next", async () => {
    const signatures = (await pyhanko(root, [file])).get(file)?.signatures
    expect(signatures).toMatchObject(FIELDS.map((field) => ({ field, bottomLine: true, trusted: true })))
  })

  it("are valid in every field to pdfsig, and qpdf finds no fault", async () => {
    const verdicts = await pdfsig(file)
    expect(FIELDS.map((field) => verdicts.get(field))).toEqual(FIELDS.map(() => "Signature is Valid."))
    expect(await qpdfFaults(file)).toBe("")
  })
})
