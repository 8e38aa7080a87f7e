// Signatures upon other people's files, judged by pyHanko, poppler, openssl, qpdf and veraPDF; and hostile files, judged by
// our reader. Every level and algorithm upon files of our own is in levels.test.ts.

import { execFile } from "node:child_process"
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { describePdf } from "@paraph/pades/describe"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { PdfRefused } from "@paraph/pades/refused"
import { samplePdf } from "@paraph/pades/sample"
import { createAuthority } from "@paraph/trust-sandbox/authority"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { opensslCades, type PyhankoVerdict, pdfsig, pyhanko, qpdfFaults, verapdf } from "./judges.ts"

const corpora = process.env.PARAPH_CORPORA
const withoutCorpora = corpora === undefined
const now = new Date()
const FIELDS = ["Paraph-1", "Paraph-2", "Paraph-3"] as const

type Signer = {
  readonly privateKey: KeyObject
  readonly certificate: Uint8Array
  readonly chain: Uint8Array[]
}
type Case = { readonly input: string; readonly output: string; readonly fields: readonly string[] }

let folder = ""
let root = ""
let signers: readonly [Signer, Signer]
let verdicts: Map<string, PyhankoVerdict>
const samples: Case[] = []
const pdfa: Case[] = []
const foreign: Case[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-engine-"))
  const authority = await createAuthority({ commonName: "Sandbox root", now })
  root = join(folder, "root.pem")
  await writeFile(root, authority.certificatePem)
  const newSigner = async ({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }) => {
    const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
    const certificate = await authority.issue({ commonName: "Zoë Müller", publicKeySpki, now, validDays: 30 })
    return { privateKey, certificate, chain: [authority.certificate] }
  }
  signers = [
    await newSigner(generateKeyPairSync("ec", { namedCurve: "P-256" })),
    await newSigner(generateKeyPairSync("rsa", { modulusLength: 2048 })),
  ]
  await signSamples()
  if (corpora !== undefined) {
    for (const file of pdfFiles("pdfa")) pdfa.push(await signFile(file, FIELDS.slice(0, 2)))
    for (const file of pdfFiles("pyhanko").filter(isReadable))
      foreign.push(await signFile(file, FIELDS.slice(0, 2)))
  }
  verdicts = await pyhanko(
    root,
    [...samples, ...pdfa, ...foreign].map(({ output }) => output),
  )
  // pyHanko takes some twenty seconds for all of them, and longer on a machine that does other work too.
}, 300_000)

afterAll(() => rm(folder, { recursive: true }))

it("finds the corpora wherever it must not do without", () => {
  expect(process.env.CI === "true" && withoutCorpora).toBe(false)
})

describe("a PDF of our own, with a table or with streams, signed once, twice and three times", () => {
  it("is valid, intact and trusted for pyHanko, and each signature allows the next", () => {
    expect(samples).toHaveLength(12)
    for (const one of samples) expectAccepted(one)
  })

  it("is valid for pdfsig and for openssl's CAdES", () => expectValid(samples))

  it("is without fault for qpdf", () => expectFaultless(samples))

  it("ends with the kind of cross-reference section that it had", async () => {
    for (const { input, output } of samples) {
      const kind = async (path: string) => /\nxref\n/.test((await readFile(path)).toString("latin1"))
      expect(await kind(output)).toBe(await kind(input))
    }
  })
})

describe.skipIf(withoutCorpora)("every PDF/A file of the corpus, signed twice", () => {
  it("is valid, intact and trusted for pyHanko", () => {
    expect(pdfa).toHaveLength(180)
    for (const one of pdfa) expectAccepted(one)
  })

  it("is valid for pdfsig and for openssl's CAdES", () => expectValid(pdfa))

  it("is without fault for qpdf where it was before", () => expectFaultless(pdfa))

  it("is still the PDF/A that it was for veraPDF", async () => {
    const verdictOf = await verapdf(pdfa.flatMap(({ input, output }) => [input, output]))
    for (const { input, output } of pdfa) {
      const { flavour } = verdictOf.get(input) ?? {}
      expect(flavour).toMatch(/^[1234]/)
      expect(verdictOf.get(output), input).toEqual({ file: output, flavour, compliant: true, failed: [] })
    }
  })

  it("would be none for veraPDF if it claimed another part", async () => {
    const file = join(folder, "false-claim.pdf")
    const { output } = pdfa.find(({ input }) => input.includes("PDF_A-2b")) ?? {}
    const bytes = await readFile(output ?? "")
    const claim = bytes.indexOf('pdfaid:part="2"')
    expect(claim).toBeGreaterThan(0)
    bytes.write('pdfaid:part="1"', claim, "latin1")
    await writeFile(file, bytes)
    expect((await verapdf([file])).get(file)).toMatchObject({ flavour: "1b", compliant: false })
  })
})

describe.skipIf(withoutCorpora)("every sound file of pyHanko's own tests, signed twice", () => {
  it("is valid, intact and trusted for pyHanko", () => {
    expect(foreign.length).toBeGreaterThan(80)
    for (const one of foreign) expectAccepted(one)
  })

  it("is valid for pdfsig and for openssl's CAdES", () => expectValid(foreign))

  it("has no more faults for qpdf than it had before", () => expectFaultless(foreign))
})

describe.skipIf(withoutCorpora)("hostile files", () => {
  it.each(["pdf101", "dss", "shadow-attacks", "pyhanko"])(
    "of %s are described or refused within two seconds",
    (name) => {
      const files = pdfFiles(name)
      expect(files.length).toBeGreaterThan(20)
      for (const file of files) {
        const bytes = readFileSync(file)
        const start = performance.now()
        for (const act of [
          () => describePdf(bytes),
          () => prepare(bytes, optionsFor(signers[0], "Paraph-1")),
        ]) {
          try {
            act()
          } catch (error) {
            if (!(error instanceof PdfRefused))
              throw new Error(`${file} was neither read nor refused`, { cause: error })
          }
        }
        expect(performance.now() - start, file).toBeLessThan(2_000)
      }
    },
  )

  it("are refused with the reason that a person can act on", () => {
    const refused = (name: string) => {
      try {
        const bytes = readFileSync(join(corpora ?? "", name))
        describePdf(bytes)
        prepare(bytes, optionsFor(signers[0], "Paraph-1"))
        return "signed"
      } catch (error) {
        return error instanceof PdfRefused ? error.code : error
      }
    }
    expect(refused("pyhanko/minimal-aes256.pdf")).toBe("encrypted")
    expect(refused("pyhanko/circular-page-tree.pdf")).toBe("corrupt")
    expect(refused("pyhanko/minimal-badxref.pdf")).toBe("corrupt")
    expect(refused("pyhanko/certified-with-indirect-refs-in-dir.pdf")).toBe("locked")
    expect(refused("dss/dss-pades/validation/dss-2554/certified-no-change-permitted.pdf")).toBe("locked")
  })
})

// What pyHanko holds against the file as it was before us; our signature is still valid for openssl and pdfsig.
const EXCUSED: readonly (readonly [file: RegExp, says: RegExp])[] = [
  [/6-7-9-t04-pass-[fnp]\.pdf$/, /"modification":"OTHER"/], // XMP in UTF-16 or UTF-32, which its XML check cannot read.
  [/CompactedPDFSyntaxTest\.pdf$/, /'NullObject' object is not subscriptable/],
  [/base\.pdf$/, /Error parsing asn1crypto\.cms\.ContentInfo/],
  [/broken-objstream4\.pdf$/, /Object not found in stream/],
  [/minimal-with-nonexistent-refs\.pdf$/, /not found in the current context/],
  [/minimal-with-orphaned-xrefs\.pdf$/, /orphaned generation/],
  [/page-tree-direct-kid\.pdf$/, /Array contains direct objects/],
  [/struct-tree-circular-ref\.pdf$/, /Circular reference in structure tree/],
]

function expectAccepted({ input, output, fields }: Case): void {
  const verdict = verdicts.get(output)
  const excuse = EXCUSED.find(([file]) => file.test(input))
  if (excuse !== undefined) {
    expect(JSON.stringify(verdict), input).toMatch(excuse[1])
    return
  }
  expect(verdict?.error, input).toBeUndefined()
  for (const [i, field] of fields.entries()) {
    const last = i === fields.length - 1
    expect(
      verdict?.signatures?.find((one) => one.field === field),
      input,
    ).toMatchObject({
      valid: true,
      intact: true,
      trusted: true,
      bottomLine: true,
      coverage: last ? "ENTIRE_FILE" : "ENTIRE_REVISION",
      modification: last ? "NONE" : expect.stringMatching(/^(LTA_UPDATES|FORM_FILLING)$/),
    })
  }
}

async function expectValid(cases: readonly Case[]): Promise<void> {
  await inParallel(cases, async ({ input, output, fields }) => {
    const verdictOf = await pdfsig(output)
    for (const field of fields) expect(verdictOf.get(field), `${input} ${field}`).toBe("Signature is Valid.")
    expect(await opensslCades(await readFile(output), root, output), input).toBe(
      "CAdES Verification successful",
    )
  })
}

async function expectFaultless(cases: readonly Case[]): Promise<void> {
  await inParallel(cases, async ({ input, output }) => {
    if ((await qpdfFaults(input)) === "") expect(await qpdfFaults(output), input).toBe("")
  })
}

async function inParallel<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const item of left) await act(item)
    }),
  )
}

async function signSamples(): Promise<void> {
  const table = join(folder, "table.pdf")
  const streams = join(folder, "streams.pdf")
  await writeFile(table, samplePdf({ pages: 3 }))
  await promisify(execFile)("qpdf", ["--object-streams=generate", table, streams])
  for (const input of [table, streams])
    for (const count of [1, 2, 3])
      for (const first of [0, 1]) samples.push(await signFile(input, FIELDS.slice(0, count), first))
}

let outputs = 0

/** The signers take turns, so that a file with two signatures has one of each algorithm. */
async function signFile(input: string, fields: readonly string[], first = outputs): Promise<Case> {
  const original = await readFile(input)
  let signed = original
  for (const [i, field] of fields.entries()) {
    const signer = signers[((first + i) % 2) as 0 | 1]
    const prepared = prepare(signed, optionsFor(signer, field))
    const stored: typeof prepared = JSON.parse(JSON.stringify(prepared))
    const value = sign("sha256", Buffer.from(stored.signedAttributes, "base64"), signer.privateKey)
    signed = Buffer.concat([signed, finish(stored, value)])
  }
  expect(signed.subarray(0, original.length).equals(original)).toBe(true)
  outputs += 1
  const output = join(folder, `${outputs}-${basename(input)}`)
  await writeFile(output, signed)
  return { input, output, fields }
}

function optionsFor({ certificate, chain }: Signer, fieldName: string) {
  return {
    fieldName,
    certificate,
    chain,
    signedAt: now,
    signerName: "Zoë Müller",
    reason: "I (agree) \\ done",
  }
}

function pdfFiles(name: string): readonly string[] {
  return readdirSync(join(corpora ?? "", name), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".pdf"))
    .map((path) => join(corpora ?? "", name, path))
}

function isReadable(file: string): boolean {
  try {
    return !describePdf(readFileSync(file)).locked
  } catch (error) {
    if (error instanceof PdfRefused) return false
    throw error
  }
}
