import { constants, createPublicKey, type KeyObject, sign, X509Certificate } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startKeys } from "@paraph/gateways/keys"
import { KeysFailed } from "@paraph/gateways/keys-failed"
import { certificatesInPem } from "@paraph/pki/pem"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { environment } from "../environment.ts"
import { Failed } from "../failed.ts"
import { NotUnderstood } from "../not-understood.ts"
import { readPkcs12 } from "./pkcs12.ts"
import { Pkcs12Refused } from "./pkcs12-refused.ts"
import { readSecret } from "./secret.ts"

export type SigningKey = {
  /** DER. */
  readonly certificate: Uint8Array
  /** Its issuers as far as they are known, without the root. */
  readonly chain: readonly Uint8Array[]
  readonly sign: (bytes: Uint8Array, algorithm: SignatureAlgorithm) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** A key in a PKCS#12 file. */
export async function keyInFile(path: string): Promise<SigningKey> {
  const bytes = contentOf(path)
  const passphrase = await readSecret(`Passphrase of ${path}`)
  try {
    const { key, certificates } = readPkcs12(bytes, passphrase)
    const spki = createPublicKey(key).export({ format: "der", type: "spki" })
    return {
      ...chosen(certificates, spki, path),
      sign: async (data, algorithm) => signedBy(key, data, algorithm),
      close: async () => undefined,
    }
  } catch (error) {
    if (error instanceof Pkcs12Refused) throw new Failed(`${path}: ${error.message}`, { cause: error })
    throw error
  }
}

export type TokenKey = {
  readonly module: string
  readonly token: string
  readonly label: string
  /** PEM: the certificate of the key, and its issuers. */
  readonly certificates: string
}

/** A key that never leaves its token. What the vendor's module asks of the environment is passed on. */
export async function keyInToken({ module, token, label, certificates }: TokenKey): Promise<SigningKey> {
  const known = certificatesInPem(contentOf(certificates).toString("utf8"))
  const pin = await readSecret(`PIN of the token ${token}`)
  // The process that holds the token reads it from a file, and nobody else can.
  const folder = mkdtempSync(join(tmpdir(), "paraph-sign-"))
  const pinFile = join(folder, "pin")
  writeFileSync(pinFile, pin, { mode: 0o600, flag: "wx" })
  const keys = startKeys({ module, tokenLabel: token, pinFile, env: othersSettings() })
  const close = async () => {
    await keys.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const spki = await told(keys.publicKey(label))
    if (spki === null) throw new Failed(`The token ${token} has no key ${label}.`)
    return {
      ...chosen(known, spki, certificates),
      sign: (data, algorithm) => told(keys.sign(label, data, algorithm)),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const told = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw error instanceof KeysFailed ? new Failed(error.message, { cause: error }) : error
  })

/** The vendor's module reads settings of its own; ours are none of its business. */
const othersSettings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(environment()).filter(([name]) => !name.startsWith("PARAPH_")))

/** The certificate of the key, and who issued it, as far as that is there. */
function chosen(known: readonly Uint8Array[], spki: Uint8Array, place: string) {
  const all = known.map((der) => new X509Certificate(der))
  const own = all.find(({ publicKey }) => publicKey.export({ format: "der", type: "spki" }).equals(spki))
  if (own === undefined) throw new Failed(`${place}: none of its certificates is of this key.`)
  const chain: X509Certificate[] = []
  for (let at = own; ; ) {
    const issuer = all.find((one) => one !== at && !chain.includes(one) && at.checkIssued(one))
    if (issuer === undefined || issuer.checkIssued(issuer)) break
    chain.push(issuer)
    at = issuer
  }
  return { certificate: new Uint8Array(own.raw), chain: chain.map(({ raw }) => new Uint8Array(raw)) }
}

function signedBy(key: KeyObject, data: Uint8Array, algorithm: SignatureAlgorithm): Uint8Array {
  if (algorithm === "ed25519") return sign(null, data, key)
  const hash = algorithm === "ecdsa-sha384" ? "sha384" : "sha256"
  if (algorithm !== "rsa-pss-sha256") return sign(hash, data, key)
  return sign(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw new NotUnderstood(`${path} cannot be read.`)
  }
}
