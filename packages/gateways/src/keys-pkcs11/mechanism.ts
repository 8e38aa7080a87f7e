// Which mechanism of PKCS#11 makes which signature, and which kind of key it takes. Every hash is made outside the
// device: only 32 or 48 octets travel to it, and its own list of hashing mechanisms does not matter; but for Ed25519.

import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import type { Digests, KeyAlgorithm } from "./protocol.ts"
import { digestInfo, ecdsaSigValue } from "./signature-value.ts"

/** What a key is, as far as signing with it goes; a size does not matter for that. */
export type KeyFamily = "P-256" | "P-384" | "Ed25519" | "RSA"

type Making = {
  readonly family: KeyFamily
  readonly digest: keyof Digests
  readonly mechanism: pkcs11.Mechanism
  /** CKM_RSA_PKCS pads what it is given, so the hash goes in with its name; the others take the bare hash. */
  readonly input: (digest: Uint8Array) => Buffer
  readonly value: (raw: Uint8Array) => Uint8Array
}

const bare = (digest: Uint8Array) => Buffer.from(digest)
const asGiven = (raw: Uint8Array) => raw

// RFC 4055, 3.1: MGF1 with the same hash, and a salt as long as the hash.
const PSS_SHA256: pkcs11.RsaPSS = {
  type: pkcs11.CK_PARAMS_RSA_PSS,
  hashAlg: pkcs11.CKM_SHA256,
  mgf: pkcs11.CKG_MGF1_SHA256,
  saltLen: 32,
}

// PKCS#11 3.0, 2.3.5 and 2.3.14; pkcs11js has the names of 2.40.
const CKM_EC_EDWARDS_KEY_PAIR_GEN = 0x1055
const CKM_EDDSA = 0x1057
export const CKK_EC_EDWARDS = 0x40

const MAKINGS: Partial<Record<SignatureAlgorithm, Making>> = {
  "rsa-sha256": {
    family: "RSA",
    digest: "sha256",
    mechanism: { mechanism: pkcs11.CKM_RSA_PKCS },
    input: digestInfo,
    value: asGiven,
  },
  "rsa-pss-sha256": {
    family: "RSA",
    digest: "sha256",
    mechanism: { mechanism: pkcs11.CKM_RSA_PKCS_PSS, parameter: PSS_SHA256 },
    input: bare,
    value: asGiven,
  },
  "ecdsa-sha256": {
    family: "P-256",
    digest: "sha256",
    mechanism: { mechanism: pkcs11.CKM_ECDSA },
    input: bare,
    value: ecdsaSigValue,
  },
  "ecdsa-sha384": {
    family: "P-384",
    digest: "sha384",
    mechanism: { mechanism: pkcs11.CKM_ECDSA },
    input: bare,
    value: ecdsaSigValue,
  },
  ed25519: {
    family: "Ed25519",
    digest: "whole",
    mechanism: { mechanism: CKM_EDDSA },
    input: bare,
    value: asGiven,
  },
}

const DEFAULT = {
  RSA: "rsa-sha256",
  "P-256": "ecdsa-sha256",
  "P-384": "ecdsa-sha384",
  Ed25519: "ed25519",
} as const satisfies Record<KeyFamily, SignatureAlgorithm>

export function makingFor(family: KeyFamily, asked: SignatureAlgorithm | undefined): Making {
  const algorithm = asked ?? DEFAULT[family]
  const making = MAKINGS[algorithm]
  if (making?.family !== family)
    throw new KeysFailed("wrong-algorithm", `A key of kind ${family} does not sign with ${algorithm}.`)
  return making
}

// RFC 5480, 2.1.1.1: secp256r1 and secp384r1, as CKA_EC_PARAMS.
const CURVES = {
  "P-256": Buffer.from("06082a8648ce3d030107", "hex"),
  "P-384": Buffer.from("06052b81040022", "hex"),
} as const

export function curveOf(ecParams: Uint8Array): keyof typeof CURVES {
  for (const name of ["P-256", "P-384"] as const) if (CURVES[name].equals(ecParams)) return name
  throw new KeysFailed("wrong-algorithm", "The key is on a curve that we do not sign with.")
}

// PKCS#11 3.0, 2.3.3: the curve by its name. SoftHSM2 2.6 takes this and no object identifier.
const EDWARDS25519 = Buffer.from("\x13\x0cedwards25519", "latin1")

const F4 = Buffer.from([1, 0, 1])

/** How a key of that kind is asked for: the mechanism, and what its public half must say. */
export function generation(kind: KeyAlgorithm): { mechanism: pkcs11.Mechanism; parameters: pkcs11.Template } {
  if (kind === "P-256" || kind === "P-384")
    return {
      mechanism: { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
      parameters: [{ type: pkcs11.CKA_EC_PARAMS, value: CURVES[kind] }],
    }
  if (kind === "Ed25519")
    return {
      mechanism: { mechanism: CKM_EC_EDWARDS_KEY_PAIR_GEN },
      parameters: [{ type: pkcs11.CKA_EC_PARAMS, value: EDWARDS25519 }],
    }
  return {
    mechanism: { mechanism: pkcs11.CKM_RSA_PKCS_KEY_PAIR_GEN },
    parameters: [
      { type: pkcs11.CKA_MODULUS_BITS, value: Number(kind.slice("RSA-".length)) },
      { type: pkcs11.CKA_PUBLIC_EXPONENT, value: F4 },
    ],
  }
}
