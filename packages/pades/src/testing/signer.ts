// A signer with a certificate of her own making, and PDFs with a form, for the tests of this package.

import { generateKeyPairSync, sign } from "node:crypto"
import { issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import { writeSample } from "../sample.ts"
import { finish } from "../signing/finish.ts"
import { type PrepareOptions, prepare } from "../signing/prepare.ts"
import type { Prepared } from "../signing/prepared.ts"
import { bytesSource } from "../source.ts"
import { openPdf, type Pdf, resolve } from "../structure/document.ts"
import { entry, isArray, isDict, type PdfDict, type PdfValue, textOf } from "../syntax/value.ts"

export const signedAt = new Date("2026-11-05T10:20:30Z")
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
const name = writeName({ commonName: "Ada" })

export const certificate = await issueCertificate({
  subject: name,
  issuer: name,
  serialNumber: 1n,
  notBefore: signedAt,
  notAfter: new Date("2027-11-05T10:20:30Z"),
  publicKeySpki,
  keyUsage: ["contentCommitment"],
  algorithm: "ecdsa-sha256",
  issuerPublicKeySpki: publicKeySpki,
  signBytes: async (bytes) => sign("sha256", bytes, privateKey),
})

export function options(fieldName: string): PrepareOptions {
  return { fieldName, certificate, chain: [], signedAt }
}

export function valueFor(prepared: Prepared): Uint8Array {
  return sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
}

export function signOnto(
  base: Uint8Array,
  fieldName: string,
  more: Partial<PrepareOptions> = {},
): Uint8Array {
  const prepared = prepare(base, { ...options(fieldName), ...more })
  return Buffer.concat([base, finish(prepared, valueFor(prepared))])
}

/** Object 6 is the only field; 4 is an array for /Annots and 5 one for /Fields, if somebody names it. */
export function formWith(field: string, fields = "[6 0 R]", array = "[]", ...more: string[]): Uint8Array {
  return writeSample([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields ${fields} /NeedAppearances false >> >>`,
    "<< /Type /Pages /Kids [3 0 R] >>",
    "<< /Type /Page /MediaBox [0 0 300 300] /Annots 4 0 R >>",
    "[6 0 R % a comment\n]",
    array,
    field,
    ...more,
  ])
}

/** The dictionary at the end of a way of keys and places in arrays, from the catalog on. */
export function dictAt(pdf: Pdf, ...way: readonly (string | number)[]): PdfDict {
  const found = valueAt(pdf, ...way)
  if (!isDict(found)) throw new Error(`There is no dictionary at ${way.join("/")}.`)
  return found
}

export function valueAt(pdf: Pdf, ...way: readonly (string | number)[]): PdfValue {
  let at: PdfValue = pdf.catalog
  for (const step of way) {
    if (isDict(at)) at = resolve(pdf, entry(at, String(step)))
    else at = isArray(at) ? resolve(pdf, at.items[Number(step)] ?? null) : null
  }
  return at
}

export function open(bytes: Uint8Array): Pdf {
  return openPdf(bytesSource(bytes))
}

/** How a value is written in the file. */
export function written(value: PdfValue): string {
  if (typeof value !== "object" || value === null) return String(value)
  if (value.type === "name") return `/${value.name}`
  if (value.type === "ref") return `${value.number} ${value.generation} R`
  return Buffer.from(value.bytes.subarray(value.start, value.end)).toString("latin1")
}

export function textIn(dict: PdfDict, key: string): string | undefined {
  const value = entry(dict, key)
  return typeof value === "object" && value?.type === "string" ? textOf(value) : undefined
}
