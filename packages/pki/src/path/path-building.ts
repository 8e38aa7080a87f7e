// Building paths (RFC 4158): from the target to an anchor, the shortest first. Whoever made a signature chose the
// certificates beside it, so the pool is hostile: paths do not loop, do not get long, and are given up after so many
// steps. Where several certificates could be the issuer, only those whose key made the signature are followed; a key that
// is too weak, or that cannot have made a value of this length, is not even tried.

import { type PublicKey, readPublicKey, verificationCost } from "../algorithm/public-key.ts"
import { readSignatureScheme, verifySignature } from "../algorithm/verify-signature.ts"
import { type AlgorithmPolicy, isTooWeak } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import { readAuthorityKeyIdentifier } from "../certificate/extensions.ts"
import { nameKey } from "../certificate/name.ts"
import { ifReadable } from "../der/optional.ts"
import type { CertificatePath, TrustAnchor } from "./path-validation.ts"

export type PathLimits = {
  /** Certificates in a path, the anchor not counted. */
  readonly maxLength: number
  /** Beginnings of paths that are looked at. */
  readonly maxSteps: number
  /** Signatures verified in order to choose an issuer, as many as that would be on P-256: larger keys count for more. */
  readonly maxSignatures: number
  /** Certificates of one name that may each be the issuer of one certificate. */
  readonly maxCandidates: number
}

// Paths in use have two to four certificates, and PKITS has none of more than seven. A thousand signatures on P-256 take
// a quarter of a second.
const DEFAULT_LIMITS: PathLimits = { maxLength: 10, maxSteps: 1000, maxSignatures: 1000, maxCandidates: 1000 }

export type BuildOptions = {
  /** What may stand between target and anchor; more may lie in it. */
  readonly intermediates: readonly Certificate[]
  readonly anchors: readonly TrustAnchor[]
  readonly limits?: Partial<PathLimits>
  readonly algorithms?: AlgorithmPolicy
}

/** Candidates, to be validated one by one. Returns whether the search ended by itself or by a limit. */
export function* buildPaths(
  target: Certificate,
  options: BuildOptions,
): Generator<CertificatePath, "searched" | "given-up"> {
  const pool = index(options)
  const { limits } = pool
  const anchor = options.anchors.find((one) => pool.identity(one) === pool.identity(target))
  if (anchor !== undefined) yield { anchor, certificates: [] }

  // A queue, not a stack: a hostile branch that goes deep cannot hide an honest path that is short.
  const queue: (readonly Certificate[])[] = [[target]]
  for (let steps = 0; steps < queue.length; steps++) {
    const certificates = queue[steps]
    if (certificates === undefined || steps >= limits.maxSteps) return "given-up"
    const issuers = issuersOf(certificates, pool)
    for (const one of issuers.anchors) yield { anchor: one, certificates }
    if (issuers.certificates.length === 0) continue
    if (certificates.length >= limits.maxLength || queue.length > limits.maxSteps) pool.cut = true
    else for (const issuer of issuers.certificates) queue.push([issuer, ...certificates])
  }
  return pool.cut ? "given-up" : "searched"
}

type Issuers = { readonly anchors: readonly TrustAnchor[]; readonly certificates: readonly Certificate[] }

type Pool = {
  readonly limits: PathLimits
  readonly algorithms: AlgorithmPolicy | undefined
  readonly anchors: ReadonlyMap<string, readonly TrustAnchor[]>
  readonly certificates: ReadonlyMap<string, readonly Certificate[]>
  readonly keyOf: (name: Uint8Array) => string
  /** The name and the key: two certificates with the same are the same authority. */
  readonly identity: (of: TrustAnchor) => string
  /** Who could have issued a certificate, found out once for each. */
  readonly issuers: Map<Certificate, Issuers>
  signatures: number
  /** Whether a limit has kept something from being looked at. */
  cut: boolean
}

function index({ anchors, intermediates, limits, algorithms }: BuildOptions): Pool {
  const keyOf = shortNames()
  const identity = remembered(
    (of: TrustAnchor) => `${keyOf(of.subject)} ${Buffer.from(of.publicKeySpki).toString("base64")}`,
  )
  const anchored = new Set(anchors.map(identity))
  const distinct = new Map(
    intermediates.map((certificate) => [Buffer.from(certificate.der).toString("latin1"), certificate]),
  )
  // An anchor in the pool would only make the way to itself longer.
  const others = [...distinct.values()].filter((certificate) => !anchored.has(identity(certificate)))
  return {
    limits: { ...DEFAULT_LIMITS, ...limits },
    algorithms,
    anchors: Map.groupBy(anchors, ({ subject }) => keyOf(subject)),
    certificates: Map.groupBy(others, ({ subject }) => keyOf(subject)),
    keyOf,
    identity,
    issuers: new Map(),
    signatures: 0,
    cut: false,
  }
}

// Names may be long, and made so that preparing them for comparison takes long: each spelling is prepared once, and stands
// for itself with a short key from then on.
function shortNames(): (name: Uint8Array) => string {
  const keys = new Map<string, string>()
  const spellings = new Map<string, string>()
  return remembered((name: Uint8Array) => {
    const spelling = Buffer.from(name.buffer, name.byteOffset, name.length).toString("latin1")
    const known = spellings.get(spelling)
    if (known !== undefined) return known
    const full = nameKey(name)
    const key = keys.get(full) ?? `name ${keys.size}`
    keys.set(full, key)
    spellings.set(spelling, key)
    return key
  })
}

function remembered<Of extends object>(find: (of: Of) => string): (of: Of) => string {
  const known = new Map<Of, string>()
  return (of) => {
    const found = known.get(of) ?? find(of)
    known.set(of, found)
    return found
  }
}

function issuersOf(path: readonly Certificate[], pool: Pool): Issuers {
  const [child] = path
  if (child === undefined) return { anchors: [], certificates: [] }
  const found = pool.issuers.get(child) ?? findIssuers(child, pool)
  pool.issuers.set(child, found)
  // RFC 4158, 2.4.2: the same name with the same key a second time is a loop, whatever else the certificate says.
  const seen = new Set(path.map(pool.identity))
  return { ...found, certificates: found.certificates.filter((one) => !seen.has(pool.identity(one))) }
}

function findIssuers(child: Certificate, pool: Pool): Issuers {
  const name = pool.keyOf(child.issuer)
  const anchors = pool.anchors.get(name) ?? []
  const own = pool.identity(child)
  const named = (pool.certificates.get(name) ?? []).filter((one) => pool.identity(one) !== own)
  const certificates = preferred(child, named).slice(0, pool.limits.maxCandidates)
  if (certificates.length < named.length) pool.cut = true
  if (anchors.length + certificates.length < 2) return { anchors, certificates }

  const answers = new Map<string, boolean>()
  const signed = (issuer: TrustAnchor) => {
    const identity = pool.identity(issuer)
    const answer = answers.get(identity) ?? hasSigned(issuer, child, pool)
    answers.set(identity, answer)
    return answer
  }
  const chosen = { anchors: anchors.filter(signed), certificates: certificates.filter(signed) }
  if (chosen.anchors.length + chosen.certificates.length > 0) return chosen
  // None made it. One is followed all the same, so that the verdict can say so.
  return anchors.length > 0
    ? { anchors: anchors.slice(0, 1), certificates: [] }
    : { anchors: [], certificates: certificates.slice(0, 1) }
}

// RFC 4158, 3.5.12: key identifiers that agree come first. They are a hint, so the others come too.
function preferred(child: Certificate, issuers: readonly Certificate[]): readonly Certificate[] {
  const wanted = ifReadable(() => readAuthorityKeyIdentifier(child.extensions)?.keyIdentifier)
  if (wanted === undefined) return issuers
  const ranks = Map.groupBy(issuers, ({ subjectKeyIdentifier: own }) =>
    own === undefined ? "unknown" : Buffer.compare(own, wanted) === 0 ? "same" : "other",
  )
  return (["same", "unknown", "other"] as const).flatMap((rank) => ranks.get(rank) ?? [])
}

// What it takes to read a key that is not tried then, as a part of a signature.
const READING_COST = 0.1

function hasSigned({ publicKeySpki }: TrustAnchor, child: Certificate, pool: Pool): boolean {
  const { tbs: signed, signature: value, signatureAlgorithm: algorithm } = child
  const key = spend(pool, READING_COST) ? keyThatFits(publicKeySpki, child, pool.algorithms) : undefined
  return (
    key !== undefined &&
    spend(pool, verificationCost(key)) &&
    verifySignature({ algorithm, publicKeySpki, signed, value })
  )
}

function keyThatFits(
  publicKeySpki: Uint8Array,
  { signature, signatureAlgorithm }: Certificate,
  algorithms: AlgorithmPolicy | undefined,
): PublicKey | undefined {
  const scheme = ifReadable(() => readSignatureScheme(signatureAlgorithm))
  const key = ifReadable(() => readPublicKey(publicKeySpki))
  if (scheme === undefined || key === undefined) return undefined
  // RFC 8017, 8.1.2 and 8.2.2: the value is as long as the modulus.
  if (key.kind === "RSA" && Math.ceil(key.modulusBits / 8) !== signature.length) return undefined
  return isTooWeak(scheme, publicKeySpki, algorithms) ? undefined : key
}

function spend(pool: Pool, cost: number): boolean {
  const isLeft = pool.signatures + cost <= pool.limits.maxSignatures
  if (isLeft) pool.signatures += cost
  else pool.cut = true
  return isLeft
}
