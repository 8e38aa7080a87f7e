// A small set of real trust services for tests, development and the sandbox, and for nothing else: nobody is identified
// before a certificate is issued, and the keys are thrown away or lie in a token that anybody can open.

import type { Keys, KeysSettings } from "@paraph/gateways/keys"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { createHierarchy, type Hierarchy } from "./hierarchy.ts"
import { type Asked, listen } from "./http.ts"
import type { Order, World } from "./issuer.ts"
import { keepIn, keepNothing, type Revocation } from "./keep.ts"
import { folderKeyring, type Keyring, memoryKeyring, tokenKeyring } from "./keyring.ts"
import type { Misbehaviour } from "./misbehaviour.ts"
import { createRoutes, type Routes } from "./routes.ts"
import { type NewSerialNumber, randomSerialNumber } from "./serial-number.ts"

export type SandboxOptions = {
  readonly now: () => Date
  /** Zero, the default, takes one that is free. */
  readonly port?: number
  /**
   * For a sandbox that is to be the same after a restart: its authorities and their registers are kept here. Such a one
   * needs a port of its own, since its address stands in what it issued.
   */
  readonly folder?: string
  /** "memory", the default, means files where there is a folder. */
  readonly keys?: "memory" | KeysSettings | Keys
  /** Of all keys of the sandbox. By default "ecdsa-sha256". */
  readonly algorithm?: SignatureAlgorithm
  /** Of certificates and time-stamps; by default random. */
  readonly serialNumber?: NewSerialNumber
}

export type SandboxOrder = Pick<Order, "commonName" | "organization" | "country" | "publicKeySpki" | "rest"> &
  Partial<Pick<Order, "keyUsage" | "validDays" | "standingDays" | "revocation">>

export type TrustSandbox = {
  /** DER. Never add it to a trust list. */
  readonly root: Uint8Array
  readonly issuing: Uint8Array
  readonly url: string
  readonly timestampUrl: string
  /** The certificate that stamps at the moment, DER; it can be revoked like any other. */
  readonly timestampCertificate: () => Promise<Uint8Array>
  /** A certificate for signing documents, of the issuing authority, DER. */
  readonly issue: (order: SandboxOrder) => Promise<Uint8Array>
  /** By default for keyCompromise, now. A time to come counts when it has come. */
  readonly revoke: (certificate: Uint8Array, reason?: Revocation["reason"], at?: Date) => Promise<void>
  /** Says how the services answer from now on; `{}` makes all of them behave again. */
  readonly misbehave: (how: Misbehaviour) => void
  readonly close: () => Promise<void>
}

export async function startTrustSandbox(options: SandboxOptions): Promise<TrustSandbox> {
  const { algorithm = "ecdsa-sha256", serialNumber = randomSerialNumber, folder } = options
  let routes: Routes | null = null
  // The certificates name the address of the server, so it listens before they are made.
  const answer = (asked: Asked) => routes?.answer(asked) ?? { status: 503 }
  const { url, close: stopListening } = await listen(options.port ?? 0, answer)
  const keyring = keyringFor(options, algorithm)
  const close = async () => {
    await stopListening()
    await keyring.close()
  }
  try {
    const world: World = { url, now: options.now, serialNumber, keep: keepNothing() }
    const keep = folder === undefined ? world.keep : keepIn(folder)
    const hierarchy = await createHierarchy(keyring, { ...world, keep })
    // The same names and purposes all over again, with other keys: what a forger could make.
    const strangers = () => createHierarchy(memoryKeyring(algorithm), world)
    routes = createRoutes(hierarchy, world, strangers)
    return { ...sandbox(hierarchy, world), misbehave: routes.misbehave, close }
  } catch (error) {
    await close()
    throw error
  }
}

function keyringFor({ keys = "memory", folder }: SandboxOptions, algorithm: SignatureAlgorithm): Keyring {
  if (keys !== "memory") return tokenKeyring(keys, algorithm)
  return folder === undefined ? memoryKeyring(algorithm) : folderKeyring(folder, algorithm)
}

const SIGNING_DAYS = 365

function sandbox(hierarchy: Hierarchy, { url, now }: World): Omit<TrustSandbox, "misbehave" | "close"> {
  const { root, issuing, tsa } = hierarchy
  return {
    root: root.certificate.der,
    issuing: issuing.certificate.der,
    url,
    timestampUrl: `${url}/tsa`,
    timestampCertificate: async () => (await tsa.certificate()).der,
    issue: async (order) => {
      const { der } = await issuing.issue({
        validDays: SIGNING_DAYS,
        revocation: "both",
        // EN 319 412-2, 4.3.2: a certificate for signatures that bind commits to content.
        keyUsage: ["digitalSignature", "contentCommitment"],
        ...order,
        rest: { basicConstraints: { ca: false }, ...order.rest },
      })
      return der
    },
    revoke: async (certificate, reason = "keyCompromise", at = now()) => {
      const read = readCertificate(certificate)
      issuerOf(read, hierarchy).revoke(read.serialNumber, { at, reason })
    },
  }
}

function issuerOf({ issuer }: Certificate, { root, issuing }: Hierarchy) {
  const found = [root, issuing].find(({ certificate }) => Buffer.compare(certificate.subject, issuer) === 0)
  if (found === undefined) throw new RangeError("The certificate is not of this sandbox.")
  return found
}
