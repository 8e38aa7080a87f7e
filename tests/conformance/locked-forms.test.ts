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
    const bytes = readFileSync(file)
    const text = bytes.toString("latin1")
    const start = text.lastIndexOf("\n5 0 obj\n") + 1
    const object = text.slice(start, text.indexOf("endobj", start))
    expect(object).toContain("/V (100)")
    const update = `\n${object.replace("(100)", "(100000)")}endobj\n`
    const previous = [...text.matchAll(/startxref\n(\d+)/g)].at(-1)?.[1]
    const size = [...text.matchAll(/\/Size (\d+)/g)].at(-1)?.[1]
    const rootOf = [...text.matchAll(/\/Root (\d+ \d+ R)/g)].at(-1)?.[1]
    const offset = String(bytes.length + 1).padStart(10, "0")
    const table = `xref\n0 0\n5 1\n${offset} 00000 n \ntrailer\n<< /Size ${size} /Root ${rootOf} /Prev ${previous} >>\nstartxref\n${bytes.length + update.length}\n%%EOF\n`
    await writeFile(file, Buffer.concat([bytes, Buffer.from(update + table, "latin1")]))
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

function priceForm(): Uint8Array {
  const look = (content: string) =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 4 0 R >> >> /Length ${content.length} >>\nstream\n${content}\nendstream`
  const widget = "/Type /Annot /Subtype /Widget /P 3 0 R /F 4 /DA (/F1 12 Tf 0 g)"
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 7 0 R] /DR << /Font << /F1 4 0 R >> >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [5 0 R 7 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /FT /Tx /T (price) /V (100) ${widget} /Rect [72 700 172 720] /AP << /N 6 0 R >> >>`,
    look("BT /F1 12 Tf 2 5 Td (100) Tj ET"),
    `<< /FT /Btn /T (agreed) ${widget} /Rect [72 660 92 680] /V /Yes /AS /Yes /AP << /N << /Yes 8 0 R /Off 9 0 R >> >> >>`,
    look("0 0 m 20 20 l S"),
    look(""),
  ]
  let body = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
  const starts = objects.map((object, i) => {
    const start = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const lines = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`)
  const id = `[<${"ab".repeat(16)}> <${"cd".repeat(16)}>]`
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /ID ${id} >>`
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join("")}trailer\n${trailer}\n`
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, "latin1")
}
