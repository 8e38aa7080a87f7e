// Who stands under whom in the sandbox: a root, an issuing authority, their OCSP responders, and a time-stamping authority.

import type { Certificate } from "@paraph/pki/certificate"
import { readAuthorityInfoAccess } from "@paraph/pki/extensions"
import { createIssuer, type Issuer, selfSigned, type World } from "./issuer.ts"
import type { Keyring, SandboxKey } from "./keyring.ts"

/** A key with the certificate that it has at the moment. */
export type Service = {
  readonly key: SandboxKey
  readonly certificate: () => Promise<Certificate>
  /** One that ran out yesterday, for whoever is to answer with it. */
  readonly expired: () => Promise<Certificate>
}

export type Hierarchy = {
  readonly root: Issuer
  readonly issuing: Issuer
  readonly responders: { readonly root: Service; readonly issuing: Service }
  readonly tsa: Service
}

const YEAR = 365
const ROOT_DAYS = 30 * YEAR
const ISSUING_DAYS = 20 * YEAR
const SERVICE_DAYS = 2 * YEAR
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
// They have stood for a while, so that an answer of yesterday is an old answer and not one from before they were there.
const STANDING_DAYS = 30
const ORGANIZATION = "Paraph sandbox, no legal effect"

export async function createHierarchy(keyring: Keyring, world: World): Promise<Hierarchy> {
  const root = await createRoot(await keyring.key("sandbox root"), world)
  const issuing = await createIssuing(root, await keyring.key("sandbox issuing"), world)
  return {
    root,
    issuing,
    responders: {
      root: await createResponder(root, keyring, world),
      issuing: await createResponder(issuing, keyring, world),
    },
    tsa: await createTsa(issuing, await keyring.key("sandbox time-stamps"), world),
  }
}

async function createRoot(key: SandboxKey, world: World): Promise<Issuer> {
  const order = {
    organization: ORGANIZATION,
    commonName: "Paraph sandbox root",
    keyUsage: ["keyCertSign", "cRLSign"],
    validDays: ROOT_DAYS,
    standingDays: STANDING_DAYS,
    rest: { basicConstraints: { ca: true } },
  } as const
  const certificate = await world.keep.certificate("root", () => selfSigned(order, key, world))
  checkKey(certificate, key)
  return createIssuer("root", key, certificate, world)
}

async function createIssuing(root: Issuer, key: SandboxKey, world: World): Promise<Issuer> {
  const order = {
    organization: ORGANIZATION,
    commonName: "Paraph sandbox issuing CA",
    publicKeySpki: key.publicKeySpki,
    keyUsage: ["keyCertSign", "cRLSign"],
    validDays: ISSUING_DAYS,
    standingDays: STANDING_DAYS,
    revocation: "both",
    rest: { basicConstraints: { ca: true, pathLength: 0 } },
  } as const
  const certificate = await world.keep.certificate("issuing", () => root.issue(order))
  checkKey(certificate, key)
  const places = readAuthorityInfoAccess(certificate.extensions)?.ocsp ?? []
  if (!places.every((place) => place.startsWith(`${world.url}/`)))
    throw new Error("The folder is of a sandbox at another address; give it the same port.")
  return createIssuer("issuing", key, certificate, world)
}

function checkKey(certificate: Certificate, { publicKeySpki }: SandboxKey): void {
  if (Buffer.compare(certificate.publicKeySpki, publicKeySpki) !== 0)
    throw new Error("The folder is of a sandbox with other keys.")
}

/** RFC 6960, 4.2.2.2: a delegate, issued directly by the authority whose certificates it speaks of. */
async function createResponder(issuer: Issuer, keyring: Keyring, world: World): Promise<Service> {
  const key = await keyring.key(`sandbox ocsp ${issuer.name}`)
  const order = {
    organization: ORGANIZATION,
    commonName: `Paraph sandbox OCSP, ${issuer.name}`,
    publicKeySpki: key.publicKeySpki,
    keyUsage: ["digitalSignature"],
    validDays: SERVICE_DAYS,
    standingDays: STANDING_DAYS,
    // RFC 6960, 4.2.2.2.1: nobody asks the responder about itself.
    revocation: "none",
    rest: { basicConstraints: { ca: false }, extendedKeyUsage: [OCSP_SIGNING], ocspNoCheck: true },
  } as const
  return {
    key,
    certificate: renewed(() => issuer.issue(order), world),
    expired: () => issuer.issue({ ...order, validDays: -1 }),
  }
}

async function createTsa(issuer: Issuer, key: SandboxKey, world: World): Promise<Service> {
  const order = {
    organization: ORGANIZATION,
    commonName: "Paraph sandbox time-stamps",
    publicKeySpki: key.publicKeySpki,
    keyUsage: ["digitalSignature"],
    validDays: SERVICE_DAYS,
    standingDays: STANDING_DAYS,
    revocation: "both",
    // RFC 3161, 2.3: this purpose alone, and critical.
    rest: {
      basicConstraints: { ca: false },
      extendedKeyUsage: [TIME_STAMPING],
      extendedKeyUsageCritical: true,
    },
  } as const
  return {
    key,
    certificate: renewed(() => issuer.issue(order), world),
    expired: () => issuer.issue({ ...order, validDays: -1 }),
  }
}

/** Made on first use, and anew when it has run out: whoever turns the clock by years still finds the service. */
function renewed(issue: () => Promise<Certificate>, { now }: World): () => Promise<Certificate> {
  let current: Certificate | null = null
  return async () => {
    const at = now()
    if (current === null || current.notAfter < at || current.notBefore > at) current = await issue()
    return current
  }
}
