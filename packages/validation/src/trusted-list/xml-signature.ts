// The signature of a list (ETSI TS 119 612, 5.7 and annex B: an enveloped XAdES baseline signature), judged in one narrow
// form, which every list in use has: one signature, the last child of the root; two references, to the whole document and to
// the signed properties. So there is nothing to wrap: what is read is the root without its signature, and that is what was
// signed. Who signed is decided by certificates that the caller knows; the one that comes along is not looked at.

import { createHash, timingSafeEqual } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { keyWeakness } from "@paraph/pki/weakness"
import { type Canonicalization, canonicalBytes, canonicalDigest } from "./canonical-xml.ts"
import { DS, XADES } from "./names.ts"
import { isSignedBy, readSignatureMethod, type SignatureMethod } from "./signature-method.ts"
import { type XmlElement, XmlError } from "./xml-reader.ts"
import {
  attributeOf,
  base64Of,
  childOf,
  childrenOf,
  elementsOf,
  everyElement,
  requiredChild,
  timeOf,
} from "./xml-tree.ts"

export type ListSignature =
  | { readonly valid: true; readonly signer: Certificate; readonly claimedTime: number | undefined }
  | { readonly valid: false; readonly reason: SignatureFault; readonly detail: string }

export type SignatureFault =
  | "no-signature"
  /** Not of the one form that we take. */
  | "signature-form"
  | "weak-algorithm"
  /** Signed by nobody whom the caller knows. */
  | "unknown-signer"
  | "changed"
  | "bad-signature"

const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
const INCLUSIVE = ["http://www.w3.org/TR/2001/REC-xml-c14n-20010315", "http://www.w3.org/2006/12/xml-c14n11"]
const ENVELOPED = `${DS}enveloped-signature`
const SIGNED_PROPERTIES = "http://uri.etsi.org/01903#SignedProperties"

class Fault extends Error {
  readonly reason: SignatureFault
  constructor(reason: SignatureFault, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** A wrong signature is an answer, not an error. */
export function verifyListSignature(root: XmlElement, signers: readonly Certificate[]): ListSignature {
  try {
    return verify(root, signers)
  } catch (error) {
    if (error instanceof Fault) return { valid: false, reason: error.reason, detail: error.message }
    if (error instanceof XmlError) return { valid: false, reason: "signature-form", detail: error.message }
    throw error
  }
}

function verify(root: XmlElement, signers: readonly Certificate[]): ListSignature {
  const signature = theSignature(root)
  const signedInfo = requiredChild(signature, DS, "SignedInfo")
  const properties = theProperties(signature)
  const method = methodOf(signedInfo)
  const [toDocument, toProperties] = referencesOf(signedInfo, root, properties)

  const [document, ...moreTransforms] = transformsOf(toDocument)
  if (document !== ENVELOPED || moreTransforms.length > 1) form("another transform than the usual ones")
  const target = { element: root, without: signature, canonicalization: canonicalizationOf(toDocument, 1) }
  mustDigestTo(toDocument, (algorithm) => canonicalDigest(target, algorithm), "the document")
  if (transformsOf(toProperties).length > 1) form("another transform than the usual ones")
  const part = { element: properties, canonicalization: canonicalizationOf(toProperties, 0) }
  mustDigestTo(toProperties, (algorithm) => canonicalDigest(part, algorithm), "the signed properties")

  const claims = requiredChild(properties, XADES, "SignedSignatureProperties")
  const signer = signerOf(claims, signers)
  const info = { element: signedInfo, canonicalization: methodCanonicalization(signedInfo) }
  const value = base64Of(requiredChild(signature, DS, "SignatureValue"))
  if (keyWeakness(signer.publicKeySpki) !== undefined) fail("weak-algorithm", "a weak key")
  if (!isSignedBy(method, signer, canonicalBytes(info), value))
    throw new Fault("bad-signature", "the value is not of this key")
  const time = childOf(claims, XADES, "SigningTime")
  return { valid: true, signer, claimedTime: time && timeOf(time) }
}

function form(detail: string): never {
  throw new Fault("signature-form", detail)
}

const PARTS = ["SignedInfo SignatureValue KeyInfo Object", "SignedInfo SignatureValue Object"]

function theSignature(root: XmlElement): XmlElement {
  const all = [...everyElement(root)].filter(
    ({ namespace, local }) => namespace === DS && local === "Signature",
  )
  const [signature, ...more] = all
  if (signature === undefined) throw new Fault("no-signature", "it is not signed")
  if (more.length > 0 || signature !== elementsOf(root).at(-1))
    form("a signature elsewhere, or more than one")
  const parts = elementsOf(signature).map(({ namespace, local }) => (namespace === DS ? local : "?"))
  if (!PARTS.includes(parts.join(" "))) form("other parts than the usual ones")
  return signature
}

// XAdES (EN 319 132-1), 4.3: in the one ds:Object, and for this signature.
function theProperties(signature: XmlElement): XmlElement {
  const qualifying = requiredChild(requiredChild(signature, DS, "Object"), XADES, "QualifyingProperties")
  const id = attributeOf(signature, "Id")
  if (id === undefined || attributeOf(qualifying, "Target") !== `#${id}`)
    form("properties of another signature")
  return requiredChild(qualifying, XADES, "SignedProperties")
}

function methodOf(signedInfo: XmlElement): SignatureMethod {
  const method = requiredChild(signedInfo, DS, "SignatureMethod")
  const address = attributeOf(method, "Algorithm") ?? ""
  const known = method.children.some((child) => typeof child !== "string")
    ? undefined
    : readSignatureMethod(address)
  return known ?? fail("weak-algorithm", `signature method ${address.slice(0, 100)}`)
}

function fail(reason: SignatureFault, detail: string): never {
  throw new Fault(reason, detail)
}

function referencesOf(
  signedInfo: XmlElement,
  root: XmlElement,
  properties: XmlElement,
): readonly [XmlElement, XmlElement] {
  if (elementsOf(signedInfo).length !== 4) form("not two references")
  const references = childrenOf(signedInfo, DS, "Reference")
  const toDocument = references.find((reference) => attributeOf(reference, "URI") === "")
  const toProperties = references.find((reference) => attributeOf(reference, "Type") === SIGNED_PROPERTIES)
  if (references.length !== 2 || toDocument === undefined || toProperties === undefined)
    form("not two references")
  if (toDocument === toProperties) form("not two references")
  const id = attributeOf(properties, "Id")
  if (id === undefined || id === "" || attributeOf(toProperties, "URI") !== `#${id}`)
    form("a reference to something else")
  // An id that stands twice could mean another element to another reader.
  if ([...everyElement(root)].filter((element) => hasId(element, id)).length !== 1)
    form("an id that stands twice")
  return [toDocument, toProperties]
}

function hasId({ attributes }: XmlElement, id: string): boolean {
  return attributes.some(({ local, value }) => local.toLowerCase() === "id" && value === id)
}

function transformsOf(reference: XmlElement): readonly string[] {
  const transforms = childOf(reference, DS, "Transforms")
  if (transforms === undefined) return []
  const all = childrenOf(transforms, DS, "Transform")
  if (all.length !== elementsOf(transforms).length) form("another transform than the usual ones")
  return all.map((transform) => attributeOf(transform, "Algorithm") ?? "")
}

/** XMLDSig, 4.4.3.2: without one, a set of nodes becomes octets by Canonical XML 1.0. */
function canonicalizationOf(reference: XmlElement, position: number): Canonicalization {
  const transform = childrenOf(childOf(reference, DS, "Transforms"), DS, "Transform")[position]
  return transform === undefined ? { method: "inclusive" } : readCanonicalization(transform)
}

function methodCanonicalization(signedInfo: XmlElement): Canonicalization {
  return readCanonicalization(requiredChild(signedInfo, DS, "CanonicalizationMethod"))
}

// As many as may be declared at all.
const MAX_PREFIXES = 64

function readCanonicalization(element: XmlElement): Canonicalization {
  const algorithm = attributeOf(element, "Algorithm") ?? ""
  const [parameters, ...more] = elementsOf(element)
  if (algorithm === EXCLUSIVE && more.length === 0) {
    if (parameters === undefined) return { method: "exclusive", prefixes: [] }
    if (parameters.namespace === EXCLUSIVE && parameters.local === "InclusiveNamespaces") {
      const list = (attributeOf(parameters, "PrefixList") ?? "")
        .split(/\s+/)
        .filter((prefix) => prefix !== "")
      if (list.length > MAX_PREFIXES) form("too many prefixes")
      return { method: "exclusive", prefixes: list.map((prefix) => (prefix === "#default" ? "" : prefix)) }
    }
  }
  if (INCLUSIVE.includes(algorithm) && parameters === undefined) return { method: "inclusive" }
  return form("another canonicalization than the usual ones")
}

const DIGESTS: Readonly<Record<string, "sha256" | "sha384" | "sha512">> = {
  "http://www.w3.org/2001/04/xmlenc#sha256": "sha256",
  "http://www.w3.org/2001/04/xmldsig-more#sha384": "sha384",
  "http://www.w3.org/2001/04/xmlenc#sha512": "sha512",
}

function mustDigestTo(
  reference: XmlElement,
  digest: (algorithm: "sha256" | "sha384" | "sha512") => Buffer,
  what: string,
): void {
  const address = attributeOf(requiredChild(reference, DS, "DigestMethod"), "Algorithm") ?? ""
  const algorithm = DIGESTS[address] ?? fail("weak-algorithm", `digest method ${address.slice(0, 100)}`)
  const stated = base64Of(requiredChild(reference, DS, "DigestValue"))
  const real = digest(algorithm)
  if (real.length !== stated.length || !timingSafeEqual(real, stated))
    fail("changed", `${what} is not what was signed`)
}

// EN 319 132-1, 5.2.2: the certificate is bound into what is signed. SHA-1 only finds it here, among those that we know
// already, and some lists in use have it so.
function signerOf(claims: XmlElement, signers: readonly Certificate[]): Certificate {
  const references = ["SigningCertificateV2", "SigningCertificate"].flatMap((name) => [
    ...childrenOf(childOf(claims, XADES, name), XADES, "Cert"),
  ])
  const [reference] = references
  if (reference === undefined) form("no certificate is bound to it")
  const digest = requiredChild(reference, XADES, "CertDigest")
  const address = attributeOf(requiredChild(digest, DS, "DigestMethod"), "Algorithm") ?? ""
  const algorithm = address === `${DS}sha1` ? "sha1" : DIGESTS[address]
  if (algorithm === undefined) fail("weak-algorithm", `digest method ${address.slice(0, 100)}`)
  const stated = base64Of(requiredChild(digest, DS, "DigestValue"))
  const isIt = ({ der }: Certificate) => createHash(algorithm).update(der).digest().equals(stated)
  return signers.find(isIt) ?? fail("unknown-signer", "not signed by anybody who is named for it")
}
