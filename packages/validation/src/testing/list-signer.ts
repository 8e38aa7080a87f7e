// Signs lists as their operators do (ETSI TS 119 612, annex B): an enveloped XAdES signature. Every part can be made otherwise
// than it should be, for the lists that must be refused.

import { createHash } from "node:crypto"
import { type Canonicalization, canonicalBytes } from "../trusted-list/canonical-xml.ts"
import { DS, XADES } from "../trusted-list/names.ts"
import { readXml, type XmlElement } from "../trusted-list/xml-reader.ts"
import { everyElement } from "../trusted-list/xml-tree.ts"
import { type Holder, signRaw } from "./keys.ts"

export type SigningOrder = {
  readonly signer: Holder
  readonly digest?: "sha1" | "sha256" | "sha384" | "sha512"
  readonly isPss?: boolean
  readonly method?: string
  readonly canonicalization?: "exclusive" | "inclusive"
  /** Left out: the usual one. */
  readonly propertiesTransform?: boolean
  /** Whose certificate the signature names and carries; left out: the signer's. */
  readonly claimed?: Holder
  /** The older form of the reference to the certificate, in use until 2024. */
  readonly isOldReference?: boolean
  readonly signedAt?: Date
  readonly referenceUri?: string
  /** Further references, as XML. */
  readonly moreReferences?: string
  /** Further transforms of the document, as XML. */
  readonly moreTransforms?: string
  /** Changes the signature as a whole before anything is computed. */
  readonly change?: (signature: string) => string
}

const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
const INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
const DIGESTS = {
  sha1: "http://www.w3.org/2000/09/xmldsig#sha1",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
  sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384",
  sha512: "http://www.w3.org/2001/04/xmlenc#sha512",
} as const

export function signList(xml: string, order: SigningOrder): Uint8Array {
  const { digest = "sha256", canonicalization = "exclusive" } = order
  const how: Canonicalization =
    canonicalization === "exclusive" ? { method: "exclusive", prefixes: [] } : { method: "inclusive" }
  const change = order.change ?? ((signature: string) => signature)
  const at = xml.lastIndexOf("</")
  const withSignature = (signature: string) => `${xml.slice(0, at)}${signature}${xml.slice(at)}`
  const hash = (bytes: Uint8Array) => createHash(digest).update(bytes).digest("base64")
  const begun = change(writeSignature(order))

  const root = readXml(Buffer.from(withSignature(begun)))
  const signature = find(root, DS, "Signature")
  const properties = find(root, XADES, "SignedProperties")
  const propertiesHow: Canonicalization = order.propertiesTransform === false ? { method: "inclusive" } : how
  const digested = begun
    .replace("{document}", hash(canonicalBytes({ element: root, without: signature, canonicalization: how })))
    .replace("{properties}", hash(canonicalBytes({ element: properties, canonicalization: propertiesHow })))

  const signedInfo = find(readXml(Buffer.from(withSignature(digested))), DS, "SignedInfo")
  const bytes = canonicalBytes({ element: signedInfo, canonicalization: how })
  const value = signRaw(order.signer, bytes, digest, order.isPss ?? false)
  return Buffer.from(withSignature(digested.replace("{value}", Buffer.from(value).toString("base64"))))
}

// The one that counts: of several, the last.
function find(root: XmlElement, namespace: string, local: string): XmlElement {
  const found = [...everyElement(root)]
    .filter((one) => one.namespace === namespace && one.local === local)
    .at(-1)
  if (found === undefined) throw new Error(`no ${local} was written`)
  return found
}

function writeSignature(order: SigningOrder): string {
  const { digest = "sha256", canonicalization = "exclusive", signer, claimed = signer } = order
  const how = canonicalization === "exclusive" ? EXCLUSIVE : INCLUSIVE
  const transform = (algorithm: string) => `<ds:Transform Algorithm="${algorithm}"/>`
  const method = `<ds:DigestMethod Algorithm="${DIGESTS[digest]}"/>`
  const ownTransform =
    order.propertiesTransform === false ? "" : `<ds:Transforms>${transform(how)}</ds:Transforms>`
  return `<ds:Signature xmlns:ds="${DS}" Id="signature"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${how}"/><ds:SignatureMethod Algorithm="${order.method ?? methodOf(order)}"/><ds:Reference Id="reference" URI="${order.referenceUri ?? ""}"><ds:Transforms>${transform(`${DS}enveloped-signature`)}${order.moreTransforms ?? ""}${transform(how)}</ds:Transforms>${method}<ds:DigestValue>{document}</ds:DigestValue></ds:Reference><ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#properties">${ownTransform}${method}<ds:DigestValue>{properties}</ds:DigestValue></ds:Reference>${order.moreReferences ?? ""}</ds:SignedInfo><ds:SignatureValue Id="value">{value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64(claimed)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#signature"><xades:SignedProperties Id="properties"><xades:SignedSignatureProperties><xades:SigningTime>${(order.signedAt ?? new Date("2026-01-01T00:00:00Z")).toISOString().slice(0, 19)}Z</xades:SigningTime>${certificateReference(order, claimed)}</xades:SignedSignatureProperties><xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference="#reference"><xades:MimeType>application/octet-stream</xades:MimeType></xades:DataObjectFormat></xades:SignedDataObjectProperties></xades:SignedProperties></xades:QualifyingProperties></ds:Object></ds:Signature>`
}

function certificateReference({ isOldReference = false }: SigningOrder, { certificate }: Holder): string {
  const value = createHash("sha256").update(certificate.der).digest("base64")
  const digest = `<xades:CertDigest><ds:DigestMethod Algorithm="${DIGESTS.sha256}"/><ds:DigestValue>${value}</ds:DigestValue></xades:CertDigest>`
  if (!isOldReference)
    return `<xades:SigningCertificateV2><xades:Cert>${digest}</xades:Cert></xades:SigningCertificateV2>`
  const serial = `<xades:IssuerSerial><ds:X509IssuerName>CN=It</ds:X509IssuerName><ds:X509SerialNumber>${certificate.serialNumber}</ds:X509SerialNumber></xades:IssuerSerial>`
  return `<xades:SigningCertificate><xades:Cert>${digest}${serial}</xades:Cert></xades:SigningCertificate>`
}

function methodOf({ signer, digest = "sha256", isPss = false }: SigningOrder): string {
  if (digest === "sha1") return `${DS}rsa-sha1`
  if (!signer.kind.startsWith("RSA")) return `http://www.w3.org/2001/04/xmldsig-more#ecdsa-${digest}`
  if (isPss) return `http://www.w3.org/2007/05/xmldsig-more#${digest}-rsa-MGF1`
  return `http://www.w3.org/2001/04/xmldsig-more#rsa-${digest}`
}

function base64({ certificate }: Holder): string {
  return Buffer.from(certificate.der).toString("base64")
}
