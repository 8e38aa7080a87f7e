// Forms whose fields our first signature locks, judged by EU DSS, pyHanko and veraPDF: two people sign, and the document gets
// validation data and an archive time-stamp.

import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeAppearance } from "@paraph/pades/appearance"
import { openPdf } from "@paraph/pades/document"
import { raise } from "@paraph/pades/raise"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { priceForm, withPrice } from "../service/price-form.ts"
import { dss, pyhanko, verapdf } from "./judges.ts"
import { ALGORITHMS, newSigner, type Signer, servicesOf, signOnce } from "./matrix.ts"

const corpora = process.env.PARAPH_CORPORA
const algorithm = ALGORITHMS["P-256"]
const SIZE = { width: 150, height: 50 }

let sandbox: TrustSandbox
let folder = ""
let root = ""
let people: readonly [Signer, Signer]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-locked-"))
  sandbox = await startTrustSandbox({ now: () => new Date() })
  root = join(folder, "root.der")
  await writeFile(root, sandbox.root)
  people = [await newSigner(sandbox, "P-256", "Zoë"), await newSigner(sandbox, "P-256", "Željko")]
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

/** The first signs in `field`, the second in a new field that is seen; then the document is raised to B-LTA. */
async function signedByTwo(base: Uint8Array, field: string, name: string): Promise<string> {
  const appearance = await makeAppearance({ ...SIZE, lines: ["Željko"] })
  const place = { page: 0, x: 300, y: 20, ...SIZE }
  const first = await signOnce(sandbox, base, people[0], true, { algorithm, fieldName: field, appearance })
  const second = await signOnce(sandbox, first, people[1], true, { algorithm, appearance, place })
  const raised = Buffer.concat([second, await raise(second, { to: "B-LTA", ...servicesOf(sandbox) })])
  const file = join(folder, name)
  await writeFile(file, raised)
  return file
}

function lockOf(file: string): readonly string[] {
  const [first] = readSignatures(openPdf(bytesSource(readFileSync(file))))
  expect(first?.fieldMdp?.action).toBe("include")
  return first?.fieldMdp?.fields ?? []
}

async function accept(files: readonly string[], ...fields: readonly string[]): Promise<void> {
  const [ofPyhanko, ofDss] = await Promise.all([
    pyhanko(root, files, { levels: true }),
    dss({ anchors: [root] }, files),
  ])
  for (const file of files) {
    const signatures = ofPyhanko.get(file)?.signatures ?? []
    expect(signatures.map(({ field }) => field)).toEqual(fields)
    for (const one of signatures) expect(one).toMatchObject({ bottomLine: true, ades: "PASSED" })
    const judged = ofDss.get(file)?.signatures ?? []
    expect(judged).toHaveLength(fields.length)
    for (const one of judged)
      expect(one).toMatchObject({ indication: "TOTAL_PASSED", level: "PAdES-BASELINE-LTA" })
    for (const one of judged) expect(one.undefinedChanges ?? []).toEqual([])
  }
}

describe("[B1] a form that our first signature locks", () => {
  it("is accepted by EU DSS and pyHanko after a second signature, validation data and a time-stamp", async () => {
    const file = await signedByTwo(priceForm(), "Zoë", "price.pdf")
    expect(lockOf(file)).toEqual(["price", "agreed"])
    await accept([file], "Zoë", "Željko")
  })

  it("is refused by pyHanko once a locked value was changed", async () => {
    const file = await signedByTwo(priceForm(), "Zoë", "changed.pdf")
    await writeFile(file, withPrice(readFileSync(file), "100000"))
    const [first] = (await pyhanko(root, [file])).get(file)?.signatures ?? []
    expect(first).toMatchObject({ field: "Zoë", intact: true, bottomLine: false })
  })
})

describe.skipIf(corpora === undefined)("[B1] a form that is PDF/A", () => {
  it("is accepted, locked and signed, and stays PDF/A", async () => {
    const files: string[] = []
    for (const part of ["1b", "2b", "2a"])
      files.push(await signedByTwo(preparedForm(part), "sig_tenant", `gold-${part}.pdf`))
    for (const file of files) expect(lockOf(file)).toContain("sender.rent")
    await accept(files, "sig_tenant", "Željko")
    const verdicts = await verapdf(files)
    expect(files.map((file) => verdicts.get(file)?.compliant)).toEqual([true, true, true])
  })
})

/** The second revision of a prototype of fields for signers, without its own locks and appearance states. */
function preparedForm(part: string): Uint8Array {
  const text = readFileSync(join(corpora ?? "", `fields/gold/gold-${part}.pdf`)).toString("latin1")
  const end = text.indexOf("%%EOF", text.indexOf("%%EOF") + 1) + "%%EOF\n".length
  const plain = text.slice(0, end).replaceAll("/Lock", "/Lxck").replaceAll("/AS /N", "      ")
  return Buffer.from(plain, "latin1")
}
