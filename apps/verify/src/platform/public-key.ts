// `createPublicKey` of node:crypto, for a SubjectPublicKeyInfo in DER (RFC 3279, RFC 4055, RFC 5480, RFC 8410).

import type { ECDSA } from "@noble/curves/abstract/weierstrass.js"
import { readCertificate } from "@paraph/pki/certificate"
import {
  DerError,
  type DerNode,
  expectTag,
  readBits,
  readDer,
  readInteger,
  readOid,
  TAG,
} from "@paraph/pki/der"
import { readSignatureScheme, type SignatureScheme } from "@paraph/pki/verify-signature"
import { curveOf } from "./curves.ts"
import type { DsaKey } from "./dsa.ts"
import type { RsaKey } from "./rsa.ts"

export type KeyObject =
  | { readonly asymmetricKeyType: "rsa"; readonly rsa: RsaKey }
  /** Where it has parameters, it verifies with them alone (RFC 4055, 3.1). */
  | {
      readonly asymmetricKeyType: "rsa-pss"
      readonly rsa: RsaKey
      readonly only: SignatureScheme | undefined
    }
  | { readonly asymmetricKeyType: "dsa"; readonly dsa: DsaKey }
  | { readonly asymmetricKeyType: "ec"; readonly curve: ECDSA; readonly point: Uint8Array }
  | { readonly asymmetricKeyType: "ed25519"; readonly point: Uint8Array }

const ED25519_BYTES = 32

/**
 * Curves that somebody asked for and that are not among ours. Whoever verified then says that nothing can be said, since a
 * signature that nobody looked at is not a wrong one.
 */
export const unknownCurves = new Set<string>()

/** Of a certificate that cannot be read, nothing is known at all. */
export function isOnUnknownCurve(certificate: Uint8Array): boolean {
  try {
    const spki = readDer(readCertificate(certificate).publicKeySpki)
    const [named, parameters] = expectTag(spki.children[0], TAG.sequence, "algorithm").children
    return readOid(named, "algorithm") === EC && curveOf(readOid(parameters, "curve")) === undefined
  } catch {
    return false
  }
}

const EC = "1.2.840.10045.2.1"

export function readKeyObject(spki: Uint8Array): KeyObject {
  const [identifier, bits] = parts(readDer(spki), 2, "subjectPublicKeyInfo")
  const [named, parameters] = parts(identifier, 2, "algorithm")
  const key = readBits(bits, "public key")
  switch (readOid(named, "algorithm")) {
    case "1.2.840.113549.1.1.1":
      // RFC 3279, 2.3.1.
      if (parameters !== undefined && parameters.tag !== TAG.null) throw new DerError("no key of RSA")
      return { asymmetricKeyType: "rsa", rsa: rsaKey(key) }
    case "1.2.840.113549.1.1.10": {
      const only = parameters && readSignatureScheme(identifier?.bytes ?? new Uint8Array())
      return { asymmetricKeyType: "rsa-pss", rsa: rsaKey(key), only }
    }
    case "1.2.840.10040.4.1":
      return { asymmetricKeyType: "dsa", dsa: dsaKey(parameters, key) }
    case EC:
      return ecKey(readOid(parameters, "curve"), key)
    case "1.3.101.112":
      if (key.length !== ED25519_BYTES || parameters !== undefined) throw new DerError("no key on Ed25519")
      return { asymmetricKeyType: "ed25519", point: key }
    default:
      throw new DerError("a key of an unknown kind")
  }
}

/** Those of a sequence, of which there may not be more: OpenSSL takes none that has. */
function parts(node: DerNode | undefined, most: number, what: string): readonly DerNode[] {
  const { children } = expectTag(node, TAG.sequence, what)
  if (children.length > most) throw new DerError(`${what} has more parts than it may`)
  return children
}

function rsaKey(key: Uint8Array): RsaKey {
  const [modulus, exponent] = parts(readDer(key), 2, "RSA key")
  return { modulus: readInteger(modulus, "modulus"), exponent: readInteger(exponent, "exponent") }
}

function dsaKey(parameters: DerNode | undefined, key: Uint8Array): DsaKey {
  const [p, q, g] = parts(parameters, 3, "DSA parameters")
  return {
    p: readInteger(p, "p"),
    q: readInteger(q, "q"),
    g: readInteger(g, "g"),
    y: readInteger(readDer(key), "y"),
  }
}

function ecKey(id: string, point: Uint8Array): KeyObject {
  const curve = curveOf(id)
  if (curve === undefined) {
    unknownCurves.add(id)
    throw new DerError("a curve that we do not know")
  }
  // A point that is not on the curve is refused here, as OpenSSL does.
  curve.Point.fromBytes(point).assertValidity()
  return { asymmetricKeyType: "ec", curve, point }
}
