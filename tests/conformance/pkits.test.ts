// The whole Public Key Interoperability Test Suite of NIST: every path gets the verdict that it must get, and for the
// reason that it must. `pkits.json` comes from pyHanko's certificate validator; `error` says what that one reports.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type Crl, readCrl } from "@paraph/pki/crl"
import { findPath } from "@paraph/pki/path"
import { type PathOptions, validatePath } from "@paraph/pki/path-validation"
import { type CrlStatus, checkByCrl } from "@paraph/pki/revocation-by-crl"
import { describe, expect, it } from "vitest"

type PkitsTest = {
  readonly id: string
  readonly name: string
  readonly cert: string
  readonly other_certs?: readonly string[]
  readonly crls?: readonly string[]
  /** The certificates of the path, the anchor included. */
  readonly path_len: number
  /** A path that no builder would build, because the names do not follow each other. */
  readonly path_intermediates?: readonly string[]
  readonly params?: {
    readonly user_initial_policy_set?: readonly string[]
    readonly initial_explicit_policy?: boolean
    readonly initial_policy_mapping_inhibit?: boolean
    readonly initial_any_policy_inhibit?: boolean
  }
  readonly error?: { readonly class: string; readonly msg_regex: string }
}

const corpora = process.env.PARAPH_CORPORA
const folder = join(corpora ?? "", "pkits")
const tests: readonly PkitsTest[] =
  corpora === undefined ? [] : JSON.parse(readFileSync(join(folder, "pkits.json"), "utf8"))
const AT = new Date("2026-01-01T00:00:00Z")

it("finds the suite wherever it must not do without", () => {
  expect(process.env.CI === "true" && corpora === undefined).toBe(false)
})

describe.skipIf(corpora === undefined)("PKITS", () => {
  it("has all of its 246 variants, none twice", () => {
    expect(tests).toHaveLength(246)
    const names = tests.map(({ name }) => name)
    expect(new Set(names).size).toBe(246)
    expect(names).toEqual(expect.arrayContaining(Object.keys(POLICIES)))
  })

  it.each(tests.map((test) => [section(test.id), test.name, test] as const))(
    "%s %s",
    (_section, _name, test) => {
      const outcome = judge(test)
      if (test.error === undefined) {
        expect(outcome).toMatchObject({ valid: true, length: test.path_len })
        const policies = POLICIES[test.name]
        if (policies !== undefined) expect(outcome).toHaveProperty("policies", policies.map(policy))
      } else expect(outcome).toMatchObject(demanded(test, test.error.msg_regex))
    },
  )
})

type Outcome =
  | { readonly valid: true; readonly length: number; readonly policies: readonly string[] }
  | { readonly valid: false; readonly reason: string; readonly at?: number; readonly revokedAt?: string }

function judge(test: PkitsTest): Outcome {
  const target = certificate(test.cert)
  const intermediates = (test.other_certs ?? []).map(certificate)
  const anchor = certificate("TrustAnchorRootCertificate.crt")
  const given = test.path_intermediates && [...test.path_intermediates.map(certificate), target]
  const found = given
    ? {
        ...validatePath({ anchor, certificates: given }, options(test)),
        path: { anchor, certificates: given },
      }
    : findPath(target, { intermediates, anchors: [anchor], ...options(test) })
  if (!found.valid)
    return { valid: false, reason: found.reason, ...(found.at !== undefined && { at: found.at }) }

  const crls = ["TrustAnchorRootCRL.crl", ...(test.crls ?? [])].map(crl)
  for (const at of found.path.certificates.keys()) {
    const outcome = statusOutcome(
      checkByCrl({ path: found.path, position: at, crls, at: AT, intermediates, algorithms: "any" }),
      at,
    )
    if (outcome !== undefined) return outcome
  }
  return { valid: true, length: found.path.certificates.length + 1, policies: found.validPolicies }
}

function options({ params = {} }: PkitsTest): PathOptions {
  return {
    at: AT,
    // Three of the variants are about DSA with SHA-1.
    algorithms: "any",
    ...(params.user_initial_policy_set && { initialPolicies: params.user_initial_policy_set }),
    initialExplicitPolicy: params.initial_explicit_policy === true,
    initialPolicyMappingInhibit: params.initial_policy_mapping_inhibit === true,
    initialAnyPolicyInhibit: params.initial_any_policy_inhibit === true,
  }
}

function statusOutcome(status: CrlStatus, at: number): Outcome | undefined {
  if (status.status === "good") return undefined
  if (status.status === "undetermined") return { valid: false, reason: status.reason, at }
  return { valid: false, reason: "revoked", at, revokedAt: status.revokedAt.toISOString() }
}

// The user-constrained-policy-set, which the paper of the suite states and pkits.json does not: 0 is anyPolicy.
const POLICIES: Readonly<Record<string, readonly number[]>> = {
  all_certs_same_policy_test1_norestr: [1],
  all_certificates_no_policies_test2: [],
  overlapping_policies_test6: [1],
  all_certificates_same_policies_test10: [1, 2],
  all_certificates_any_policy_test11: [0],
  all_certificates_same_policies_test13: [1, 2, 3],
  valid_inhibit_policy_mapping_test4: [2],
  valid_policy_mapping_test3_with_testpol2: [2],
}

function policy(number: number): string {
  return number === 0 ? "2.5.29.32.0" : `2.16.840.1.101.3.2.1.48.${number}`
}

// What the other validator says, in our words.
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/the signature of .* could not be verified/, "signature-invalid"],
  [/is not valid until/, "not-yet-valid"],
  [/ expired /, "expired"],
  [/issuer name could not be matched/, "issuer-is-not-the-one-before"],
  [/is not a CA/, "not-an-authority"],
  [/exceeds the maximum path length/, "path-too-long"],
  [/is not allowed to sign certificates/, "key-may-not-sign-certificates"],
  [/there is no valid set of policies/, "policy-required"],
  [/policy mapping for the "any policy"/, "malformed"],
  [/in the permitted namespace/, "name-not-permitted"],
  [/excluded from the namespace/, "name-excluded"],
  [/unsupported critical extension/, "critical-extension-unknown"],
  [/CRL signature could not|not authorized to sign CRLs|CRL issuer certificate path/, "issuer"],
  [/^CRL indicates/, "revoked"],
  [/no revocation information|CRL only contains|do not cover all revocation reasons/, "no-crl"],
  [/unrecognized critical extensions are present in the CRL/, "extension"],
  [/CRL is not recent enough/, "stale"],
]

function demanded({ path_len }: PkitsTest, message: string): Partial<Outcome> {
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1]
  if (reason === undefined) throw new Error(`nobody knows what this means: ${message}`)
  const intermediate = /intermediate certificate (\d)/.exec(message)?.[1]
  const at = intermediate ? Number(intermediate) - 1 : /end-entity/.test(message) ? path_len - 2 : undefined
  const [, time, date] = /revoked at ([\d:]+) on ([\d-]+)/.exec(reason === "revoked" ? message : "") ?? []
  return {
    valid: false,
    reason,
    ...(at !== undefined && { at }),
    ...(time !== undefined && { revokedAt: `${date}T${time}.000Z` }),
  }
}

function certificate(file: string): Certificate {
  return readCertificate(new Uint8Array(readFileSync(join(folder, "certs", file))))
}

function crl(file: string): Crl {
  return readCrl(new Uint8Array(readFileSync(join(folder, "crls", file))))
}

// 40102 is test 4.1.2.
function section(id: string): string {
  return `${id.slice(0, 1)}.${Number(id.slice(1, 3))}.${Number(id.slice(3))}`
}
