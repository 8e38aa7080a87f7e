// The seed value of a signature field (ISO 32000-2, 12.7.5.5, tables 237 and 238): what the author of the document asks
// of whoever signs there. Only what is marked as required binds, and a rule that we cannot keep is a refusal, no guess.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { KEY_USAGES, readKeyUsage } from "@paraph/pki/extensions"
import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { corrupt } from "../syntax/scan.ts"
import { entry, isArray, isDict, type PdfDict, type PdfValue, stringBytes, textOf } from "../syntax/value.ts"

export type SignatureOffered = {
  readonly digest: "sha256" | "sha384" | "sha512"
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly reason?: string
  readonly certify?: 1 | 2 | 3
}

// Table 237, Ff.
const FILTER = 1
const SUB_FILTER = 2
const VERSION = 4
const REASONS = 8
const LEGAL_ATTESTATION = 16
const ADD_REVOCATION_INFO = 32
const DIGEST_METHOD = 64
const LOCK_DOCUMENT = 128
const APPEARANCE_FILTER = 256
// Of PDF 2.0.
const NEWEST_VERSION = 3

/** Refuses a signature that the field would not take; says if the mark must carry a time-stamp. */
export function checkSeedValue(
  pdf: Pdf,
  field: PdfDict | undefined,
  offered: SignatureOffered,
): { readonly timestampRequired: boolean } {
  const seed = field === undefined ? undefined : dictOf(pdf, field, "SV")
  if (seed === undefined) return { timestampRequired: false }
  const required = flagsOf(pdf, seed)
  const names = (key: string) => itemsOf(pdf, seed, key).map((item) => nameOrText(item))

  if (required & FILTER && nameOrText(resolve(pdf, entry(seed, "Filter"))) !== "Adobe.PPKLite")
    throw refused("another signature handler")
  if (required & SUB_FILTER && !names("SubFilter").includes("ETSI.CAdES.detached"))
    throw refused("another kind of signature")
  if (required & DIGEST_METHOD && !names("DigestMethod").includes(offered.digest.toUpperCase()))
    throw refused("another digest")
  const version = resolve(pdf, entry(seed, "V"))
  if (required & VERSION && !(typeof version === "number" && version <= NEWEST_VERSION))
    throw refused("a newer version")
  if (required & REASONS) checkReason(names("Reasons"), offered.reason)
  if (required & LEGAL_ATTESTATION && offered.certify !== undefined) throw refused("a legal attestation")
  if (required & APPEARANCE_FILTER) throw refused("a named appearance")
  if (required & ADD_REVOCATION_INFO && resolve(pdf, entry(seed, "AddRevInfo")) === true)
    throw refused("revocation information inside the mark, which PAdES keeps outside")
  if (required & LOCK_DOCUMENT && nameOrText(resolve(pdf, entry(seed, "LockDocument"))) === "true")
    throw refused("the document to be locked")
  checkCertification(pdf, dictOf(pdf, seed, "MDP"), offered.certify)
  checkCertificate(pdf, dictOf(pdf, seed, "Cert"), offered)
  const timestamp = dictOf(pdf, seed, "TimeStamp")
  return { timestampRequired: timestamp !== undefined && (flagsOf(pdf, timestamp) & 1) === 1 }
}

// A single full stop, or no reason at all, means that none may be given.
function checkReason(allowed: readonly string[], reason: string | undefined): void {
  const none = allowed.length === 0 || (allowed.length === 1 && allowed[0] === ".")
  if (none ? reason !== undefined : reason === undefined || !allowed.includes(reason))
    throw refused(none ? "no reason" : `one of the reasons ${allowed.join(", ")}`)
}

// P 0 asks for an approval; without the entry there is no rule.
function checkCertification(pdf: Pdf, mdp: PdfDict | undefined, certify: number | undefined): void {
  const permission = mdp === undefined ? null : resolve(pdf, entry(mdp, "P"))
  if (permission !== null && permission !== (certify ?? 0))
    throw refused(permission === 0 ? "an approval" : `a certification with permission ${String(permission)}`)
}

// Table 238, Ff.
const SUBJECT = 1
const ISSUER = 2
const KEY_USAGE = 32
const URL_OF_SERVICE = 64
const UNDERSTOOD = SUBJECT | ISSUER | KEY_USAGE | URL_OF_SERVICE

function checkCertificate(pdf: Pdf, seed: PdfDict | undefined, offered: SignatureOffered): void {
  if (seed === undefined) return
  const required = flagsOf(pdf, seed)
  if (required & ~UNDERSTOOD) throw refused("a certificate by rules that we do not know")
  const listed = (key: string, certificates: readonly Uint8Array[]) =>
    itemsOf(pdf, seed, key).some(
      (item) =>
        typeof item === "object" &&
        item?.type === "string" &&
        certificates.some((der) => Buffer.compare(der, stringBytes(item)) === 0),
    )
  if (required & SUBJECT && !listed("Subject", [offered.certificate])) throw refused("another certificate")
  if (required & ISSUER && !listed("Issuer", [offered.certificate, ...offered.chain]))
    throw refused("a certificate of another issuer")
  if (required & KEY_USAGE) {
    const patterns = itemsOf(pdf, seed, "KeyUsage").map(nameOrText)
    const certificate = readCertificate(offered.certificate)
    if (!patterns.some((pattern) => hasKeyUsage(certificate, pattern)))
      throw refused("a certificate for another use")
  }
}

// One character for each bit: 1 it must be set, 0 it must not, X as it likes; what is not written is X.
function hasKeyUsage({ extensions }: Certificate, pattern: string): boolean {
  const usages = readKeyUsage(extensions) ?? []
  return KEY_USAGES.every((usage, bit) => {
    const wanted = pattern[bit] ?? "X"
    return wanted === "X" || (wanted === "1") === usages.includes(usage)
  })
}

function flagsOf(pdf: Pdf, dict: PdfDict): number {
  const flags = resolve(pdf, entry(dict, "Ff"))
  if (flags === null) return 0
  if (typeof flags !== "number" || !Number.isInteger(flags))
    throw corrupt("The flags of a seed value are not a number.")
  return flags
}

function dictOf(pdf: Pdf, dict: PdfDict, key: string): PdfDict | undefined {
  const value = resolve(pdf, entry(dict, key))
  if (value !== null && !isDict(value)) throw corrupt(`${key} of a signature field is not a dictionary.`)
  return value ?? undefined
}

function itemsOf(pdf: Pdf, dict: PdfDict, key: string): readonly PdfValue[] {
  const value = resolve(pdf, entry(dict, key))
  return isArray(value) ? value.items.map((item) => resolve(pdf, item)) : []
}

function nameOrText(value: PdfValue): string {
  if (typeof value !== "object" || value === null) return ""
  if (value.type === "name") return value.name
  return value.type === "string" ? textOf(value) : ""
}

function refused(what: string): PdfRefused {
  return new PdfRefused("locked", `The signature field asks for ${what}.`)
}
