// Basic path validation (RFC 5280, 6.1, with the policy graph of RFC 9618). Revocation is apart: revocation-by-crl.ts.
// The verdict is a value. Extended key usage is known here but not judged: what a key is for is the caller's question.

import { readSignatureScheme, verifySignature } from "../algorithm/verify-signature.ts"
import { type AlgorithmPolicy, isTooWeak, keyWeakness } from "../algorithm/weakness.ts"
import type { Certificate } from "../certificate/certificate.ts"
import {
  EXTENSION,
  type NameConstraints,
  readBasicConstraints,
  readCertificatePolicies,
  readInhibitAnyPolicy,
  readKeyUsage,
  readNameConstraints,
  readPolicyConstraints,
  readPolicyMappings,
} from "../certificate/extensions.ts"
import { sameName } from "../certificate/name.ts"
import { DerError, readDer, TAG } from "../der/der.ts"
import { sequence } from "../der/der-writer.ts"
import { checkNames } from "./name-constraints.ts"
import {
  ANY_POLICY,
  acceptedPolicies,
  addDepth,
  INITIAL_GRAPH,
  mapPolicies,
  type PolicyGraph,
} from "./policy-graph.ts"

/** RFC 5280, 6.1.1 (d): a name and a key. A certificate will do; nothing else of it is looked at. */
export type TrustAnchor = Pick<Certificate, "subject" | "publicKeySpki">

export type CertificatePath = {
  readonly anchor: TrustAnchor
  /** From the one that the anchor issued to the target. Empty if the target is an anchor itself. */
  readonly certificates: readonly Certificate[]
}

export type PathOptions = {
  /** The time that all certificates must be valid at; "any-time" for whoever judges their validity apart. */
  readonly at: Date | "any-time"
  /** user-initial-policy-set; any policy if left out. */
  readonly initialPolicies?: readonly string[]
  readonly initialPolicyMappingInhibit?: boolean
  readonly initialExplicitPolicy?: boolean
  readonly initialAnyPolicyInhibit?: boolean
  /** initial-permitted-subtrees and initial-excluded-subtrees. */
  readonly initialNameConstraints?: NameConstraints
  /** Critical extensions that the caller sees to. */
  readonly knownExtensions?: readonly string[]
  readonly algorithms?: AlgorithmPolicy
}

export type PathFault =
  | "malformed"
  | "signature-algorithm-unknown"
  /** The signature of this certificate, the key that made it, or the key of the target. */
  | "algorithm-too-weak"
  | "signature-invalid"
  | "not-yet-valid"
  | "expired"
  | "issuer-is-not-the-one-before"
  | "name-not-permitted"
  | "name-excluded"
  | "policy-required"
  | "not-an-authority"
  | "path-too-long"
  | "key-may-not-sign-certificates"
  | "critical-extension-unknown"

export type PathVerdict =
  | {
      readonly valid: true
      /** In the domain of the anchor; `[anyPolicy]` for every one, none where none was required. */
      readonly validPolicies: readonly string[]
      /** The key of the target, with parameters that it may have inherited. */
      readonly publicKeySpki: Uint8Array
    }
  /** `at` is the position in `certificates`. */
  | { readonly valid: false; readonly reason: PathFault; readonly at: number }

const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  EXTENSION.subjectKeyIdentifier,
  EXTENSION.keyUsage,
  EXTENSION.subjectAltName,
  EXTENSION.issuerAltName,
  EXTENSION.basicConstraints,
  EXTENSION.nameConstraints,
  EXTENSION.cRLDistributionPoints,
  EXTENSION.certificatePolicies,
  EXTENSION.policyMappings,
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.policyConstraints,
  EXTENSION.extendedKeyUsage,
  EXTENSION.freshestCRL,
  EXTENSION.inhibitAnyPolicy,
  EXTENSION.authorityInfoAccess,
  EXTENSION.qcStatements,
  EXTENSION.ocspNoCheck,
])

// 6.1.2: the state that goes from certificate to certificate.
type State = {
  graph: PolicyGraph
  readonly constraints: NameConstraints[]
  explicitPolicy: number
  inhibitAnyPolicy: number
  policyMapping: number
  publicKeySpki: Uint8Array
  issuer: Uint8Array
  maxPathLength: number
}

export function validatePath(path: CertificatePath, options: PathOptions): PathVerdict {
  const { certificates } = path
  const state = initialState(path, options)
  for (const [at, certificate] of certificates.entries()) {
    const fault = step(certificate, at === certificates.length - 1, state, options)
    if (fault !== undefined) return { valid: false, reason: fault, at }
  }
  const validPolicies = acceptedPolicies(state.graph, options.initialPolicies ?? [ANY_POLICY])
  if (state.explicitPolicy === 0 && validPolicies.length === 0)
    return { valid: false, reason: "policy-required", at: Math.max(0, certificates.length - 1) }
  return { valid: true, validPolicies, publicKeySpki: state.publicKeySpki }
}

/** The key of the certificate at a position, with parameters that it may have inherited; before the first, the anchor's. */
export function keyAt({ anchor, certificates }: CertificatePath, position: number): Uint8Array {
  return certificates
    .slice(0, position + 1)
    .reduce((before, { publicKeySpki }) => inheritParameters(publicKeySpki, before), anchor.publicKeySpki)
}

function initialState({ anchor, certificates }: CertificatePath, options: PathOptions): State {
  const unlimited = certificates.length + 1
  return {
    graph: INITIAL_GRAPH,
    constraints: options.initialNameConstraints === undefined ? [] : [options.initialNameConstraints],
    explicitPolicy: options.initialExplicitPolicy ? 0 : unlimited,
    inhibitAnyPolicy: options.initialAnyPolicyInhibit ? 0 : unlimited,
    policyMapping: options.initialPolicyMappingInhibit ? 0 : unlimited,
    publicKeySpki: anchor.publicKeySpki,
    issuer: anchor.subject,
    maxPathLength: certificates.length,
  }
}

function step(
  certificate: Certificate,
  isLast: boolean,
  state: State,
  options: PathOptions,
): PathFault | undefined {
  try {
    return (
      checkBasics(certificate, state, options) ??
      checkNamesAndPolicies(certificate, isLast, state) ??
      (isLast ? wrapUp(certificate, state, options) : prepareNext(certificate, state)) ??
      checkCritical(certificate, options)
    )
  } catch (error) {
    if (error instanceof DerError) return "malformed"
    throw error
  }
}

// 6.1.3 (a)
function checkBasics(
  certificate: Certificate,
  state: State,
  { at, algorithms }: PathOptions,
): PathFault | undefined {
  const { tbs: signed, signature: value, signatureAlgorithm: algorithm } = certificate
  if (!sameName(certificate.issuer, state.issuer)) return "issuer-is-not-the-one-before"
  const scheme = readSignatureScheme(algorithm)
  if (scheme === undefined) return "signature-algorithm-unknown"
  if (isTooWeak(scheme, state.publicKeySpki, algorithms)) return "algorithm-too-weak"
  if (!verifySignature({ algorithm, publicKeySpki: state.publicKeySpki, signed, value }))
    return "signature-invalid"
  if (at === "any-time") return undefined
  if (at < certificate.notBefore) return "not-yet-valid"
  if (at > certificate.notAfter) return "expired"
  return undefined
}

// 6.1.3 (b) to (f)
function checkNamesAndPolicies(
  certificate: Certificate,
  isLast: boolean,
  state: State,
): PathFault | undefined {
  const selfIssued = isSelfIssued(certificate)
  if (isLast || !selfIssued) {
    const verdict = checkNames(certificate, state.constraints)
    if (verdict !== "permitted") return verdict
  }
  const asserted = readCertificatePolicies(certificate.extensions)?.map(({ policy }) => policy)
  state.graph = addDepth(state.graph, asserted, state.inhibitAnyPolicy > 0 || (!isLast && selfIssued))
  return state.explicitPolicy === 0 && state.graph.size === 0 ? "policy-required" : undefined
}

// 6.1.4
function prepareNext(certificate: Certificate, state: State): PathFault | undefined {
  const { extensions } = certificate
  const mappings = readPolicyMappings(extensions) ?? []
  // (a): to or from anyPolicy nothing may be mapped.
  if (mappings.some((one) => one.issuerDomain === ANY_POLICY || one.subjectDomain === ANY_POLICY))
    return "malformed"
  state.graph = mapPolicies(state.graph, mappings, state.policyMapping > 0)
  takeKey(certificate, state)
  const constraints = readNameConstraints(extensions)
  if (constraints !== undefined) state.constraints.push(constraints)

  if (!isSelfIssued(certificate)) {
    if (state.explicitPolicy > 0) state.explicitPolicy -= 1
    if (state.policyMapping > 0) state.policyMapping -= 1
    if (state.inhibitAnyPolicy > 0) state.inhibitAnyPolicy -= 1
  }
  const policy = readPolicyConstraints(extensions)
  state.explicitPolicy = Math.min(state.explicitPolicy, policy?.requireExplicitPolicy ?? Infinity)
  state.policyMapping = Math.min(state.policyMapping, policy?.inhibitPolicyMapping ?? Infinity)
  state.inhibitAnyPolicy = Math.min(state.inhibitAnyPolicy, readInhibitAnyPolicy(extensions) ?? Infinity)
  return checkAuthority(certificate, state)
}

// 6.1.4 (k) to (n). A certificate of version 1 or 2 cannot say that it is an authority's, so it is none.
function checkAuthority(certificate: Certificate, state: State): PathFault | undefined {
  const basic = readBasicConstraints(certificate.extensions)
  if (basic?.ca !== true) return "not-an-authority"
  if (!isSelfIssued(certificate)) {
    if (state.maxPathLength <= 0) return "path-too-long"
    state.maxPathLength -= 1
  }
  state.maxPathLength = Math.min(state.maxPathLength, basic.pathLength ?? Infinity)
  const usages = readKeyUsage(certificate.extensions)
  return usages?.includes("keyCertSign") === false ? "key-may-not-sign-certificates" : undefined
}

// 6.1.5 (a) to (e)
function wrapUp(certificate: Certificate, state: State, { algorithms }: PathOptions): PathFault | undefined {
  if (state.explicitPolicy > 0) state.explicitPolicy -= 1
  if (readPolicyConstraints(certificate.extensions)?.requireExplicitPolicy === 0) state.explicitPolicy = 0
  takeKey(certificate, state)
  const isWeak = algorithms !== "any" && keyWeakness(state.publicKeySpki) !== undefined
  return isWeak ? "algorithm-too-weak" : undefined
}

// 6.1.4 (o) and 6.1.5 (f)
function checkCritical(
  { extensions }: Certificate,
  { knownExtensions = [] }: PathOptions,
): PathFault | undefined {
  const unknown = extensions.find(
    ({ id, critical }) => critical && !KNOWN_EXTENSIONS.has(id) && !knownExtensions.includes(id),
  )
  return unknown && "critical-extension-unknown"
}

function isSelfIssued({ issuer, subject }: Certificate): boolean {
  return sameName(issuer, subject)
}

const DSA = "06072a8648ce380401"

function takeKey({ publicKeySpki, subject }: Certificate, state: State): void {
  state.publicKeySpki = inheritParameters(publicKeySpki, state.publicKeySpki)
  state.issuer = subject
}

// 6.1.4 (c) to (f): a DSA key without parameters has those of the key before it.
function inheritParameters(publicKeySpki: Uint8Array, before: Uint8Array): Uint8Array {
  const [own, key] = readDer(publicKeySpki).children
  const [issuers] = readDer(before).children
  const isDsa = (id: Uint8Array | undefined) => id !== undefined && Buffer.from(id).toString("hex") === DSA
  const inherits =
    isDsa(own?.children[0]?.bytes) &&
    isDsa(issuers?.children[0]?.bytes) &&
    (own?.children[1] === undefined || own.children[1].tag === TAG.null)
  return inherits && key && issuers ? sequence(issuers.bytes, key.bytes) : publicKeySpki
}
