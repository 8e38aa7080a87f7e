// PDFs that are refused, or that say more than an ordinary contract: each made from nothing, or by qpdf.
import { execFile } from "node:child_process"
import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { writeSample } from "@paraph/pades/sample"
import { createAuthority } from "@paraph/trust-sandbox/authority"
import { contractPdf } from "./pdf.ts"

const run = promisify(execFile)

export type OddParts = {
  /** More entries of the catalog, of the page and of the trailer. */
  readonly catalog?: string
  readonly page?: string
  readonly trailer?: string
  readonly mediaBox?: string
  /** What the page draws; one line of text unless given. */
  readonly drawing?: string
  readonly resources?: string
  /** Objects from number 6 on. */
  readonly objects?: readonly string[]
}

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

/** One page; objects 1 to 5 are the catalog, the pages, the page, its drawing and a font. */
export function oddPdf(parts: OddParts = {}): Buffer {
  const { catalog = "", page = "", trailer = "", mediaBox = "[0 0 595 842]", objects = [] } = parts
  const { drawing = "BT /F1 18 Tf 72 720 Td (An odd document.) Tj ET", resources = "" } = parts
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    stream("", drawing),
    FONT,
    ...objects,
  ]
  return Buffer.from(writeSample(bodies, trailer))
}

export const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${Buffer.byteLength(data, "latin1")} >>\nstream\n${data}\nendstream`

/** ISO 32000-2, 12.6: each does something that no reader of a contract asked for. */
export const ACTIVE: Readonly<Record<string, Buffer>> = {
  "a script on opening": oddPdf({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" }),
  "a script by name": oddPdf({
    catalog: "/Names << /JavaScript << /Names [(go) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >> >>",
  }),
  "a program to launch": oddPdf({
    page: "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A << /S /Launch /F (calc.exe) >> >>]",
  }),
  "a form that is sent on opening": oddPdf({
    page: "/AA << /O << /S /SubmitForm /F << /FS /URL /F (https://example.org/) >> >> >>",
  }),
}

export const xfaPdf = oddPdf({
  catalog: "/AcroForm << /Fields [] /XFA 6 0 R >>",
  objects: [stream("", '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"></xdp:xdp>')],
})

/** With a password to open it, and with none but for changing it. */
export async function encryptedPdf(userPassword: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-odd-"))
  try {
    const [plain, encrypted] = [join(folder, "plain.pdf"), join(folder, "encrypted.pdf")]
    await writeFile(plain, contractPdf())
    await run("qpdf", ["--encrypt", userPassword, "owner", "256", "--", plain, encrypted])
    return await readFile(encrypted)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Signed by somebody else before it came here; with `certify` 1, that signature forbids any change. */
export async function signedElsewhere(base: Uint8Array, certify?: 1 | 2 | 3): Promise<Buffer> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const signedAt = new Date()
  const authority = await createAuthority({ commonName: "Elsewhere", now: signedAt })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const certificate = await authority.issue({
    commonName: "Grace",
    publicKeySpki,
    now: signedAt,
    validDays: 1,
  })
  const prepared = prepare(base, {
    fieldName: "Elsewhere",
    certificate,
    chain: [],
    signedAt,
    ...(certify !== undefined && { certify }),
  })
  const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
  return Buffer.concat([base, finish(prepared, value)])
}
