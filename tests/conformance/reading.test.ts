// Our reader against qpdf: files that qpdf encrypted, linearised or packed say the same as before, what we repair has no
// fault for it, and what we decrypt is what it decrypts.

import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describePdf } from "@paraph/pades/describe"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { repair } from "@paraph/pades/repair"
import { openRevision, readRevisions } from "@paraph/pades/revisions"
import { samplePdf, writeSample } from "@paraph/pades/sample"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { qpdfFaults } from "./judges.ts"

const run = promisify(execFile)
const corpora = process.env.PARAPH_CORPORA
let folder = ""

/** A page and a signature field whose name is a string, so that something is there to be decrypted. */
const FORM = writeSample([
  "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 120 240] /Annots [4 0 R] >>",
  "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /P 3 0 R /FT /Sig /T <feff007a006f00eb> /V 5 0 R >>",
  "<< /Type /Sig /Filter /Own /Reason (to be \\(read\\)) >>",
])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-reading-"))
  await writeFile(join(folder, "form.pdf"), FORM)
})
afterAll(() => rm(folder, { recursive: true }))

describe("a file that qpdf encrypted", () => {
  const KINDS = [
    ["RC4 of 40 bits (R2)", ["40"]],
    ["RC4 of 128 bits (R3)", ["128", "--use-aes=n"]],
    ["RC4 by crypt filters (R4)", ["128", "--force-V4"]],
    ["AES-128 (R4)", ["128", "--use-aes=y"]],
    ["AES-128, metadata in the clear", ["128", "--use-aes=y", "--cleartext-metadata"]],
    ["AES-256 (R5)", ["256", "--force-R5"]],
    ["AES-256 (R6)", ["256"]],
    ["AES-256, metadata in the clear", ["256", "--cleartext-metadata"]],
  ] as const
  const LAYOUTS = [
    ["plain", []],
    ["in object streams", ["--object-streams=generate"]],
    ["linearised", ["--linearize"]],
  ] as const
  const cases = KINDS.flatMap(([kind, options]) =>
    LAYOUTS.map(([layout, flags]) => [`${kind}, ${layout}`, options, flags] as const),
  )

  it.each(cases)("with %s is read with either password and refused without", async (_, options, flags) => {
    const passwords = ["usér", "ownér"] as const
    const file = await encrypted(options, flags, passwords)
    expect(codeOf(() => describePdf(file))).toBe("encrypted")
    expect(codeOf(() => describePdf(file, { password: "" }))).toBe("encrypted")
    for (const password of passwords) {
      expect(describePdf(file, { password })).toEqual(describePdf(FORM))
      const [signature] = readSignatures(openPdf(bytesSource(file), { password }))
      expect(signature).toMatchObject({ fieldName: "zoë", claims: { reason: "to be (read)" } })
    }
  })

  it("without a user's password is read with the empty one", async () => {
    const file = await encrypted(["256"], [], ["", "owner"])
    expect(describePdf(file, { password: "" })).toEqual(describePdf(FORM))
    expect(codeOf(() => describePdf(file))).toBe("encrypted")
  })

  async function encrypted(
    options: readonly string[],
    flags: readonly string[],
    [user, owner]: readonly [string, string],
  ): Promise<Buffer> {
    const out = join(folder, "encrypted.pdf")
    const encrypt = ["--encrypt", user, owner, ...options, "--"]
    await run("qpdf", ["--allow-weak-crypto", ...flags, ...encrypt, join(folder, "form.pdf"), out])
    return readFile(out)
  }
})

describe.skipIf(corpora === undefined)("an encrypted file of other people's tests", () => {
  it.each([
    ["dss/dss-pades/protected/open_protected.pdf", " "],
    ["dss/dss-pades/protected/protected_two_empty_fields.pdf", " "],
    ["dss/dss-pades/protected/edition_protected_none.pdf", ""],
    ["dss/dss-pades/protected/edition_protected_signing_allowed_with_field.pdf", ""],
    ["dss/dss-pades/protected/edition_protected_signing_allowed_with_field_signed.pdf", ""],
    ["dss/dss-pades/protected/restricted_fields.pdf", ""],
    ["dss/dss-pades/validation/encrypted.pdf", ""],
    ["pyhanko/minimal-rc4.pdf", "usersecret"],
    ["pyhanko/minimal-rc4.pdf", "ownersecret"],
    ["pyhanko/minimal-with-field-rc4.pdf", "ownersecret"],
    ["pyhanko/minimal-aes256.pdf", "usersecret"],
    ["pyhanko/minimal-aes256.pdf", "ownersecret"],
    ["pyhanko/minimal-two-fields-aes256.pdf", "usersecret"],
    ["pyhanko/minimal-with-field-aes256.pdf", "ownersecret"],
  ])("%s, opened with %j, says what qpdf decrypts", async (name, password) => {
    const path = join(corpora ?? "", name)
    const file = await readFile(path)
    const plain = join(folder, "plain.pdf")
    await run("qpdf", ["--warning-exit-0", `--password=${password}`, "--decrypt", path, plain])
    expect(describePdf(file, { password })).toEqual(describePdf(await readFile(plain)))
    const { stdout } = await run("qpdf", [
      "--warning-exit-0",
      `--password=${password}`,
      "--show-npages",
      path,
    ])
    expect(describePdf(file, { password }).pageCount).toBe(Number(stdout))
  })

  it.each([
    ["pyhanko/minimal-pubkey-aes256.pdf", "encrypted"],
    ["pyhanko/minimal-pubkey-rc4.pdf", "encrypted"],
    ["pyhanko/malformed-encrypt-dict2.pdf", "corrupt"],
    ["pyhanko/minimal-aes256-malformed-oe.pdf", "corrupt"],
    ["pyhanko/minimal-aes256-malformed-perms.pdf", "corrupt"],
  ])("%s is refused as %s", async (name, code) => {
    const file = await readFile(join(corpora ?? "", name))
    expect(codeOf(() => describePdf(file, { password: "usersecret" }))).toBe(code)
  })

  it("keeps its signature readable: the contents of a signature are not encrypted", async () => {
    const name = "edition_protected_signing_allowed_with_field_signed.pdf"
    const file = await readFile(join(corpora ?? "", "dss/dss-pades/protected", name))
    const [signature] = readSignatures(openPdf(bytesSource(file), { password: "" }))
    expect(signature).toMatchObject({ coverage: "whole-file", fault: undefined })
    expect(signature?.contents?.[0]).toBe(0x30)
  })
})

describe("a file that qpdf wrote anew", () => {
  it.each([
    ["linearised", ["--linearize"]],
    ["linearised and packed", ["--linearize", "--object-streams=generate"]],
    ["packed", ["--object-streams=generate"]],
  ])("%s has one revision, to its end", async (_, flags) => {
    const out = join(folder, "anew.pdf")
    await writeFile(join(folder, "sample.pdf"), samplePdf({ pages: 20 }))
    await run("qpdf", [...flags, join(folder, "sample.pdf"), out])
    const file = await readFile(out)
    const pdf = openPdf(bytesSource(file))
    const [revision, ...more] = readRevisions(pdf)
    expect(more).toEqual([])
    expect(revision?.end?.line).toBe(file.length)
    expect(revision && openRevision(pdf, revision).source.length).toBe(file.length)
    expect(describePdf(file)).toEqual(describePdf(samplePdf({ pages: 20 })))
  })
})

describe("a file that we repaired", () => {
  it.each([
    ["with a table", []],
    ["with object streams", ["--object-streams=generate"]],
    ["that was linearised", ["--linearize"]],
  ])("%s is without fault for qpdf", async (_, flags) => {
    const [from, out] = [join(folder, "sample.pdf"), join(folder, "sound.pdf")]
    await writeFile(from, samplePdf({ pages: 20 }))
    await run("qpdf", [...flags, from, out])
    const sound = await readFile(out)
    const text = sound
      .toString("latin1")
      .replaceAll(/startxref\n\d+/g, (found) => "startxref\n3".padEnd(found.length))
    const broken = Buffer.from(text, "latin1")
    expect(codeOf(() => describePdf(broken))).toBe("corrupt")
    await expectRepaired(broken, describePdf(sound))
  })

  it
    .skipIf(corpora === undefined)
    .each([
      "malformed-xref-space-padded.pdf",
      "minimal-badxref.pdf",
      "minimal-broken-xref-size.pdf",
      "minimal-startxref-hopeless.pdf",
      "minimal-startxref-obo2.pdf",
      "minimal-startxref-obo4.pdf",
      "minimal-startxref-obo5.pdf",
      "minimal-startxref-obo6.pdf",
    ])("of pyHanko's tests, %s, is without fault for qpdf", async (name) => {
    const broken = await readFile(join(corpora ?? "", "pyhanko", name))
    expect(codeOf(() => describePdf(broken))).toBe("corrupt")
    await expectRepaired(broken, { pageCount: 1, pageWidth: 300 })
  })

  async function expectRepaired(broken: Buffer, expected: object): Promise<void> {
    const repaired = Buffer.concat([broken, repair(bytesSource(broken))])
    const path = join(folder, "repaired.pdf")
    await writeFile(path, repaired)
    expect(await qpdfFaults(path)).toBe("")
    expect(describePdf(repaired)).toMatchObject(expected)
  }
})

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof PdfRefused) return error.code
    throw error
  }
}
