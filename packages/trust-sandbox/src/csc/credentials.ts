// The people who have a credential here, each made when first asked for. Nobody is identified: whoever says a name has it.

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { type Keys, type KeysSettings, startKeys } from "@paraph/gateways/keys"
import { signDigest } from "@paraph/gateways/sign-digest"
import { type Legislation, writeQcStatements } from "@paraph/pki/qc-statements"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { createAuthority } from "../authority.ts"
import type { TrustSandbox } from "../sandbox.ts"
import type { CscMisbehaviour } from "./misbehaviour.ts"

export type SandboxCredential = {
  readonly id: string
  readonly login: string
  /** DER: the person's, then its issuers. */
  readonly certificates: readonly Uint8Array[]
  readonly sign: (digest: Uint8Array) => Promise<Uint8Array>
}

export type CredentialSettings = {
  readonly sandbox: TrustSandbox
  readonly now: () => Date
  readonly keys: "memory" | KeysSettings | Keys
  readonly algorithm: SignatureAlgorithm
  readonly legislation: Legislation
  readonly nameOf: (login: string) => string
}

export type Credentials = {
  readonly of: (login: string, how?: CscMisbehaviour["certificate"]) => Promise<SandboxCredential>
  readonly close: () => Promise<void>
}

export function createCredentials(settings: CredentialSettings): Credentials {
  const ring =
    settings.keys === "memory" ? memoryRing(settings.algorithm) : tokenRing(settings.keys, settings.algorithm)
  const made = new Map<string, Promise<SandboxCredential>>()
  const make = async (login: string, how: CscMisbehaviour["certificate"]): Promise<SandboxCredential> => {
    const id = credentialId(login)
    const key = await ring.key(id)
    const certified = how === "other-key" ? await ring.key(`${id}-other`) : key
    const certificates = await certify(settings, login, certified.publicKeySpki, how)
    return { id, login, certificates, sign: key.sign }
  }
  return {
    of: (login, how) => {
      const name = `${how ?? ""} ${login}`
      const credential = made.get(name) ?? make(login, how)
      made.set(name, credential)
      return credential
    },
    close: ring.close,
  }
}

export const credentialId = (login: string): string =>
  `sandbox-${createHash("sha256").update(login).digest("hex").slice(0, 24)}`

const DAYS = 365

async function certify(
  { sandbox, now, legislation, nameOf }: CredentialSettings,
  login: string,
  publicKeySpki: Uint8Array,
  how: CscMisbehaviour["certificate"],
): Promise<readonly Uint8Array[]> {
  const commonName = nameOf(login)
  if (how === "stranger") {
    const other = await createAuthority({ commonName: "Paraph sandbox issuing CA", now: now() })
    const order = { commonName, publicKeySpki, now: now(), validDays: DAYS }
    return [await other.issue(order), other.certificate]
  }
  const law = (legislation === "ZERTES") !== (how === "other-law") ? ["CH"] : undefined
  const claims = { isQualified: true, isInDevice: true, types: ["esign"], countries: law } as const
  const certificate = await sandbox.issue({
    commonName,
    organization: "Paraph sandbox, no legal effect",
    country: legislation === "ZERTES" ? "CH" : "DE",
    publicKeySpki,
    // EN 319 412-2, 4.3.2, type A: a key for signatures, and for nothing else.
    keyUsage: ["contentCommitment"],
    ...(how === "expired" ? { standingDays: 10, validDays: -1 } : {}),
    rest: { otherExtensions: how === "unqualified" ? [] : [writeQcStatements(claims)] },
  })
  return [certificate, sandbox.issuing, sandbox.root]
}

type Ring = {
  readonly key: (name: string) => Promise<{ publicKeySpki: Uint8Array; sign: SandboxCredential["sign"] }>
  readonly close: () => Promise<void>
}

function memoryRing(algorithm: SignatureAlgorithm): Ring {
  const made = new Map<string, KeyObject>()
  return {
    key: async (name) => {
      const key = made.get(name) ?? newKey(algorithm)
      made.set(name, key)
      const publicKeySpki = createPublicKey(key).export({ type: "spki", format: "der" })
      return {
        publicKeySpki: new Uint8Array(publicKeySpki),
        sign: async (digest) => signDigest(algorithm, key, digest),
      }
    },
    close: async () => made.clear(),
  }
}

function newKey(algorithm: SignatureAlgorithm): KeyObject {
  const { keyKind } = SIGNATURE_ALGORITHMS[algorithm]
  if (keyKind === "RSA") return generateKeyPairSync("rsa", { modulusLength: 3072 }).privateKey
  return generateKeyPairSync("ec", { namedCurve: keyKind === "EC P-384" ? "P-384" : "P-256" }).privateKey
}

function tokenRing(opened: KeysSettings | Keys, algorithm: SignatureAlgorithm): Ring {
  const keys = "sign" in opened ? opened : startKeys(opened)
  const { keyKind } = SIGNATURE_ALGORITHMS[algorithm]
  const kind = keyKind === "RSA" ? "RSA-3072" : keyKind === "EC P-384" ? "P-384" : "P-256"
  return {
    key: async (name) => {
      // A key signs with one algorithm; one of an earlier start with another is let be.
      const label = `${name} ${algorithm}`
      return {
        publicKeySpki: (await keys.publicKey(label)) ?? (await keys.generate(label, kind)),
        sign: (digest) => keys.signDigest(label, digest, algorithm),
      }
    },
    close: keys.close,
  }
}
