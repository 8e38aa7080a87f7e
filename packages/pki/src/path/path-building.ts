// Building paths (RFC 4158): from the target to an anchor, the shortest first. Whoever made a signature chose the
// certificates beside it, so the pool is hostile: paths do not loop, do not get long, and are given up after so many
// steps. Where several certificates could be the issuer, only those whose key made the signature are followed.

import { verifySignature } from "../algorithm/verify-signature.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { readAuthorityKeyIdentifier } from "../certificate/extensions.ts"
import { nameKey } from "../certificate/name.ts"
import { DerError } from "../der/der.ts"
import type { CertificatePath, TrustAnchor } from "./path-validation.ts"

export type PathLimits = {
  /** Certificates in a path, the anchor not counted. */
  readonly maxLength: number
  /** Beginnings of paths that are looked at. */
  readonly maxSteps: number
  /** Signatures verified in order to choose an issuer. */
  readonly maxSignatures: number
}

// Paths in use have two to four certificates, and PKITS has none of more than seven. A signature takes some 0.1 ms.
const DEFAULT_LIMITS: PathLimits = { maxLength: 10, maxSteps: 1000, maxSignatures: 1000 }

export type BuildOptions = {
  /** What may stand between target and anchor; more may lie in it. */
  readonly intermediates: readonly Certificate[]
  readonly anchors: readonly TrustAnchor[]
  readonly limits?: Partial<PathLimits>
}

/** Candidates, to be validated one by one. Returns whether the search ended by itself or by a limit. */
export function* buildPaths(
  target: Certificate,
  options: BuildOptions,
): Generator<CertificatePath, "searched" | "given-up"> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const pool = index(options)
  const anchor = options.anchors.find((one) => pool.identity(one) === pool.identity(target))
  if (anchor !== undefined) yield { anchor, certificates: [] }

  // A queue, not a stack: a hostile branch that goes deep cannot hide an honest path that is short.
  const queue: (readonly Certificate[])[] = [[target]]
  let cut = false
  for (let steps = 0; steps < queue.length; steps++) {
    const certificates = queue[steps]
    if (certificates === undefined || steps >= limits.maxSteps) return "given-up"
    const issuers = issuersOf(certificates, pool, limits.maxSignatures)
    for (const one of issuers.anchors) yield { anchor: one, certificates }
    if (issuers.certificates.length === 0) continue
    if (certificates.length >= limits.maxLength || queue.length > limits.maxSteps) cut = true
    else for (const issuer of issuers.certificates) queue.push([issuer, ...certificates])
  }
  return cut || pool.signatures >= limits.maxSignatures ? "given-up" : "searched"
}

type Pool = {
  readonly anchors: ReadonlyMap<string, readonly TrustAnchor[]>
  readonly certificates: ReadonlyMap<string, readonly Certificate[]>
  /** The name and the key: two certificates with the same are the same authority. */
  readonly identity: (of: TrustAnchor) => string
  /** Answers of verifications, by the identity of the issuer within the child. */
  readonly verified: Map<Certificate, Map<string, boolean>>
  signatures: number
}

function index({ anchors, intermediates }: BuildOptions): Pool {
  const identity = identities()
  const anchored = new Set(anchors.map(identity))
  const distinct = new Map(
    intermediates.map((certificate) => [Buffer.from(certificate.der).toString("latin1"), certificate]),
  )
  // An anchor in the pool would only make the way to itself longer.
  const others = [...distinct.values()].filter((certificate) => !anchored.has(identity(certificate)))
  return {
    anchors: Map.groupBy(anchors, ({ subject }) => nameKey(subject)),
    certificates: Map.groupBy(others, ({ subject }) => nameKey(subject)),
    identity,
    verified: new Map(),
    signatures: 0,
  }
}

function issuersOf(
  path: readonly Certificate[],
  pool: Pool,
  maxSignatures: number,
): { anchors: readonly TrustAnchor[]; certificates: readonly Certificate[] } {
  const [child] = path
  if (child === undefined) return { anchors: [], certificates: [] }
  const name = nameKey(child.issuer)
  // RFC 4158, 2.4.2: the same name with the same key a second time is a loop, whatever else the certificate says.
  const seen = new Set(path.map(pool.identity))
  const anchors = pool.anchors.get(name) ?? []
  const certificates = (pool.certificates.get(name) ?? []).filter((one) => !seen.has(pool.identity(one)))
  if (anchors.length + certificates.length < 2) return { anchors, certificates }

  const signed = (issuer: TrustAnchor) => verifies(child, issuer, pool, maxSignatures)
  const chosen = {
    anchors: anchors.filter(signed),
    certificates: preferred(child, certificates).filter(signed),
  }
  if (chosen.anchors.length + chosen.certificates.length > 0) return chosen
  // None made it. One is followed all the same, so that the verdict can say so.
  return anchors.length > 0
    ? { anchors: anchors.slice(0, 1), certificates: [] }
    : { anchors: [], certificates: certificates.slice(0, 1) }
}

// RFC 4158, 3.5.12: key identifiers that agree come first. They are a hint, so the others come too.
function preferred(child: Certificate, issuers: readonly Certificate[]): readonly Certificate[] {
  const wanted = keyIdentifierOf(child)
  if (wanted === undefined) return issuers
  const rank = ({ subjectKeyIdentifier: own }: Certificate) =>
    own === undefined ? 1 : Buffer.from(own).equals(wanted) ? 0 : 2
  return issuers.toSorted((one, other) => rank(one) - rank(other))
}

function keyIdentifierOf({ extensions }: Certificate): Uint8Array | undefined {
  try {
    return readAuthorityKeyIdentifier(extensions)?.keyIdentifier
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function verifies(child: Certificate, issuer: TrustAnchor, pool: Pool, maxSignatures: number): boolean {
  const answers = pool.verified.get(child) ?? new Map<string, boolean>()
  pool.verified.set(child, answers)
  const identity = pool.identity(issuer)
  const known = answers.get(identity)
  if (known !== undefined) return known
  if (pool.signatures >= maxSignatures) return false
  pool.signatures += 1
  const { tbs: signed, signature: value, signatureAlgorithm: algorithm } = child
  const answer = verifySignature({ algorithm, publicKeySpki: issuer.publicKeySpki, signed, value })
  answers.set(identity, answer)
  return answer
}

function identities(): (of: TrustAnchor) => string {
  const known = new Map<TrustAnchor, string>()
  return (of) => {
    const found =
      known.get(of) ?? `${nameKey(of.subject)} ${Buffer.from(of.publicKeySpki).toString("base64")}`
    known.set(of, found)
    return found
  }
}
