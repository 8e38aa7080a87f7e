// Reads a PKCS#12 file (RFC 7292): the first private key, and the certificates beside it. Node has no reader for these;
// a child process of openssl would be another program to have, and would be given the passphrase.

import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { readBer } from "@paraph/pki/ber"
import { DerError, type DerNode, expectTag, readOid, TAG } from "@paraph/pki/der"
import { countOf, decrypt, derive, type Opening } from "./pkcs12-decrypt.ts"
import { Pkcs12Refused } from "./pkcs12-refused.ts"

export type Pkcs12 = { readonly key: KeyObject; readonly certificates: readonly Uint8Array[] }

const DATA = "1.2.840.113549.1.7.1"
const ENCRYPTED_DATA = "1.2.840.113549.1.7.6"
const KEY_BAG = "1.2.840.113549.1.12.10.1.1"
const SHROUDED_KEY_BAG = "1.2.840.113549.1.12.10.1.2"
const CERTIFICATE_BAG = "1.2.840.113549.1.12.10.1.3"
const X509_CERTIFICATE = "1.2.840.113549.1.9.22.1"
const EXPLICIT = 0xa0

const MAC_HASHES: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  "1.3.14.3.2.26": { name: "sha1", bytes: 20 },
  "2.16.840.1.101.3.4.2.1": { name: "sha256", bytes: 32 },
  "2.16.840.1.101.3.4.2.2": { name: "sha384", bytes: 48 },
  "2.16.840.1.101.3.4.2.3": { name: "sha512", bytes: 64 },
}

/** As much as a second or two; programs ask for 2,000 to 600,000. */
const MOST_ITERATIONS = 1_000_000

export function readPkcs12(bytes: Uint8Array, passphrase: string, mostIterations = MOST_ITERATIONS): Pkcs12 {
  try {
    return opened(bytes, { passphrase, mostIterations })
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new Pkcs12Refused("malformed", `It is no PKCS#12 file: ${error.message}.`, { cause: error })
  }
}

function opened(bytes: Uint8Array, opening: Opening): Pkcs12 {
  const [, authSafe, mac] = expectTag(readBer(bytes).node, TAG.sequence, "PFX").children
  const content = dataIn(authSafe)
  if (mac !== undefined) checkMac(mac, content, opening)
  const bags = expectTag(readBer(content).node, TAG.sequence, "AuthenticatedSafe").children.flatMap(
    (info) => expectTag(readBer(contentOf(info, opening)).node, TAG.sequence, "SafeContents").children,
  )
  const keys = bags.flatMap((bag) => keyIn(bag, opening))
  const [key] = keys
  if (key === undefined) throw new Pkcs12Refused("no-key", "There is no private key in it.")
  return { key, certificates: bags.flatMap(certificateIn) }
}

/** RFC 7292, 4: a wrong passphrase is noticed here, before anything is decrypted by it. */
function checkMac(mac: DerNode, content: Uint8Array, opening: Opening): void {
  const [info, salt, iterations] = expectTag(mac, TAG.sequence, "MacData").children
  const [algorithm, digest] = expectTag(info, TAG.sequence, "DigestInfo").children
  const oid = readOid(expectTag(algorithm, TAG.sequence, "algorithm").children[0], "digest")
  const hash = MAC_HASHES[oid]
  if (hash === undefined) throw new Pkcs12Refused("unsupported", "Its MAC is of a kind that we do not know.")
  const key = derive({
    ...{ hash: hash.name, passphrase: opening.passphrase, purpose: 3, length: hash.bytes },
    salt: expectTag(salt, TAG.octetString, "salt").content,
    iterations: iterations === undefined ? 1 : countOf(iterations, opening),
  })
  const made = createHmac(hash.name, key).update(content).digest()
  const told = expectTag(digest, TAG.octetString, "mac").content
  if (told.length !== made.length || !timingSafeEqual(made, told))
    throw new Pkcs12Refused("passphrase", "The passphrase does not open it.")
}

function dataIn(info: DerNode | undefined): Uint8Array {
  const [type, value] = expectTag(info, TAG.sequence, "ContentInfo").children
  if (readOid(type, "content type") !== DATA)
    throw new Pkcs12Refused("unsupported", "It is protected by a key, not by a passphrase.")
  return expectTag(expectTag(value, EXPLICIT, "content").children[0], TAG.octetString, "data").content
}

function contentOf(info: DerNode, opening: Opening): Uint8Array {
  const [type, value] = info.children
  if (readOid(type, "content type") !== ENCRYPTED_DATA) return dataIn(info)
  const [, encrypted] = expectTag(
    expectTag(value, EXPLICIT, "content").children[0],
    TAG.sequence,
    "EncryptedData",
  ).children
  const [, algorithm, content] = expectTag(encrypted, TAG.sequence, "EncryptedContentInfo").children
  return decrypt(algorithm, octetsUnder(content), opening)
}

/** [0] IMPLICIT OCTET STRING, in one piece or in several. */
function octetsUnder(node: DerNode | undefined): Uint8Array {
  if (node?.tag === 0x80) return node.content
  const parts = expectTag(node, EXPLICIT, "encryptedContent").children
  return Buffer.concat(parts.map((part) => expectTag(part, TAG.octetString, "part").content))
}

function keyIn(bag: DerNode, opening: Opening): readonly KeyObject[] {
  const [id, value] = expectTag(bag, TAG.sequence, "SafeBag").children
  const kind = readOid(id, "bag")
  if (kind !== KEY_BAG && kind !== SHROUDED_KEY_BAG) return []
  const inner = expectTag(expectTag(value, EXPLICIT, "bag").children[0], TAG.sequence, "key")
  const [algorithm, content] = inner.children
  const pkcs8 =
    kind === KEY_BAG
      ? inner.bytes
      : decrypt(algorithm, expectTag(content, TAG.octetString, "key").content, opening)
  try {
    return [createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" })]
  } catch (cause) {
    throw new Pkcs12Refused("malformed", "The private key in it cannot be read.", { cause })
  }
}

function certificateIn(bag: DerNode): readonly Uint8Array[] {
  const [id, value] = bag.children
  if (readOid(id, "bag") !== CERTIFICATE_BAG) return []
  const [type, certificate] = expectTag(
    expectTag(value, EXPLICIT, "bag").children[0],
    TAG.sequence,
    "certificate",
  ).children
  if (readOid(type, "certificate") !== X509_CERTIFICATE) return []
  return [expectTag(expectTag(certificate, EXPLICIT, "x509").children[0], TAG.octetString, "x509").content]
}
