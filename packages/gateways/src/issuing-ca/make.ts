// How an authority, the one who answers for it, and the service's own certificate come to be.

import { createHash } from "node:crypto"
import { readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import { attributesOf } from "@paraph/pki/name"
import { algorithmFor } from "@paraph/pki/signature-algorithm"
import { type Draft, issueOnRecord } from "./issue.ts"
import type { Authority, Kind, Role } from "./records.ts"
import { shortened } from "./subject.ts"
import { type Active, type AuthorityWorld, activate, serialNumberOf } from "./world.ts"

/** Who runs the authority. The names of all its certificates are made of it. */
export type Operator = { readonly organization: string; readonly country: string | null }

const DAY_MS = 86_400_000
const YEAR_DAYS = 365
const FIVE_MINUTES_MS = 300_000
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"

type Plan = {
  readonly days: number
  readonly key: "P-256" | "P-384"
  readonly title: string
  readonly profile: Pick<
    CertificateOrder,
    "keyUsage" | "basicConstraints" | "extendedKeyUsage" | "ocspNoCheck"
  >
}

// An issuing authority lives as long as validators of 2026 trust its curve without a second thought; its root is to outlive several.
export const PLANS: Readonly<Record<Role, Plan>> = {
  root: {
    days: 25 * YEAR_DAYS,
    key: "P-384",
    title: "Root CA",
    profile: { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] },
  },
  issuing: {
    days: 6 * YEAR_DAYS,
    key: "P-256",
    title: "Issuing CA",
    profile: { basicConstraints: { ca: true, pathLength: 0 }, keyUsage: ["keyCertSign", "cRLSign"] },
  },
  responder: {
    days: 90,
    key: "P-256",
    title: "OCSP",
    profile: {
      basicConstraints: { ca: false },
      keyUsage: ["digitalSignature"],
      extendedKeyUsage: [OCSP_SIGNING],
      ocspNoCheck: true,
    },
  },
  service: {
    days: YEAR_DAYS,
    key: "P-256",
    title: "Signatures",
    profile: { basicConstraints: { ca: false }, keyUsage: ["digitalSignature", "contentCommitment"] },
  },
  // The key above signs whatever people have signed; what this one seals was written by the service itself: reports of validations
  // and signature protocols (ADR 0051, 0053). Those made earlier are called "Validation reports" until they are renewed.
  report: {
    days: YEAR_DAYS,
    key: "P-256",
    title: "Service seal",
    profile: { basicConstraints: { ca: false }, keyUsage: ["digitalSignature", "contentCommitment"] },
  },
}

export type Making = {
  readonly kind: Kind
  readonly role: Role
  /** Null for a root. */
  readonly issuer: Active | null
  readonly operator: Operator
}

/** The next generation of its role, or the one whose making was cut off. Never two at once: see the store's `oneAtATime`. */
export async function makeAuthority(world: AuthorityWorld, making: Making, now: Date): Promise<Authority> {
  const { kind, role, issuer, operator } = making
  const row = await onRecord(world, making, "making", now)
  const publicKeySpki = await keyOf(world, row)
  const plan = PLANS[role]
  const notAfter = new Date(now.getTime() + plan.days * DAY_MS)
  const draft: Draft = {
    ...plan.profile,
    kind,
    orderId: `authority ${row.id}`,
    orderHash: createHash("sha256").update(row.keyLabel).update(publicKeySpki).digest(),
    subject: authorityName(operator, row),
    publicKeySpki,
    notAfter,
    ...(isOfService(role) && world.policies.length > 0 && { certificatePolicies: world.policies }),
  }
  const rows = await world.records.authorities(kind)
  const certificate =
    issuer === null
      ? await selfSigned(world, row, draft, now)
      : (await issueOnRecord(world, rows, issuer, draft, now)).certificate
  const { notBefore, notAfter: end } = readCertificate(certificate)
  await world.records.completeAuthority(row.id, { certificate, chain: [], notBefore, notAfter: end })
  return { ...row, state: "active", certificate, notBefore, notAfter: end }
}

const isOfService = (role: Role): boolean => role === "service" || role === "report"

/** On record before its key is made; what was cut off before is taken up again. */
export async function onRecord(
  world: AuthorityWorld,
  { kind, role, issuer }: Pick<Making, "kind" | "role" | "issuer">,
  state: "making" | "requested",
  at: Date,
): Promise<Authority> {
  const issuerId = issuer?.row.id ?? null
  const isIt = (row: Authority) => row.role === role && row.state === state && row.issuerId === issuerId
  const rows = await world.records.authorities(kind)
  const begun = rows.find(isIt)
  if (begun !== undefined) return begun
  const generation = 1 + Math.max(0, ...rows.flatMap((row) => (row.role === role ? row.generation : [])))
  const id = world.newId()
  // With a piece of the id: a token may still hold the keys of a database that is no more.
  const keyLabel = `paraph-${role}-${generation}-${id.slice(0, 8)}`
  await world.records.addAuthority({ id, kind, role, generation, issuerId, keyLabel, state, at })
  const made = (await world.records.authorities(kind)).find((row) => row.id === id)
  if (made === undefined) throw new Error("Somebody else is making one just now.")
  return made
}

export async function keyOf(world: AuthorityWorld, { kind, role, keyLabel }: Authority): Promise<Uint8Array> {
  const keys = world.keys(kind, role)
  return (await keys.publicKey(keyLabel)) ?? (await keys.generate(keyLabel, PLANS[role].key))
}

/** EN 319 412-2, 4.2.3: country, organisation and common name; of a demo everybody sees that it is one. */
export function authorityName(
  { organization, country }: Operator,
  { kind, role, generation }: Pick<Authority, "kind" | "role" | "generation">,
): Uint8Array {
  const title = `${kind === "demo" ? "demo, no legal effect, " : ""}${PLANS[role].title} ${generation}`
  return writeName({
    ...(country !== null && { country }),
    organization,
    commonName: `${shortened(organization, 64 - title.length - 1)} ${title}`,
  })
}

/** Of whoever is in office: a new generation is run by the same. */
export function operatorOf({ certificate }: Active): Operator {
  const [organization = "Paraph"] = attributesOf(certificate.subject, "2.5.4.10")
  const [country = null] = attributesOf(certificate.subject, "2.5.4.6")
  return { organization, country }
}

async function selfSigned(
  world: AuthorityWorld,
  row: Authority,
  draft: Draft,
  now: Date,
): Promise<Uint8Array> {
  const { subject, publicKeySpki, keyUsage, basicConstraints, notAfter } = draft
  const algorithm = algorithmFor({ keyKind: "EC P-384" })
  return issueCertificate({
    subject,
    issuer: subject,
    serialNumber: serialNumberOf(world.randomBytes(16)),
    notBefore: new Date(now.getTime() - FIVE_MINUTES_MS),
    notAfter,
    publicKeySpki,
    keyUsage,
    ...(basicConstraints && { basicConstraints }),
    algorithm,
    issuerPublicKeySpki: publicKeySpki,
    signBytes: (bytes) => world.keys(row.kind, "root").sign(row.keyLabel, bytes, algorithm),
  })
}

/** One that is there, with its certificate. */
export function mustBeActive(world: AuthorityWorld, row: Authority): Active {
  const active = activate(world, row)
  if (active === null) throw new Error(`The ${row.role} authority has no certificate yet.`)
  return active
}
