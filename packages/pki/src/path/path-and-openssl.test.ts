// Random paths, judged by us and by `openssl verify`. PKITS asks each rule by itself; this asks them together.

import { randomBytes, sign } from "node:crypto"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Certificate, readCertificate } from "../certificate/certificate.ts"
import { issueCertificate, writeName } from "../certificate/certificate-writer.ts"
import type { Extension } from "../certificate/extension.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { implicit, integer, octetString, oid, sequence } from "../der/der-writer.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { newKey, newRoot } from "../testing/small-pki.ts"
import { type PathOptions, validatePath } from "./path-validation.ts"

let judge: OpenSsl
beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

const AT = new Date("2026-06-01T00:00:00Z")
const ANY = "2.5.29.32.0"
const POLICIES = ["1.2.3.1", "1.2.3.2", ANY] as const
const TREES = ["example.com", ".example.com", "a.example.com"] as const
const MAILBOXES = ["x@example.com", "x@a.example.com", "x@b.example.com"] as const

const count = fc.option(fc.nat(2), { nil: undefined, freq: 2 })
const mapping = fc.tuple(fc.constantFrom("1.2.3.1", "1.2.3.2"), fc.constantFrom("1.2.3.1", "1.2.3.2"))
const LEVEL = fc.record({
  selfIssued: fc.nat(5).map((number) => number === 0),
  pathLength: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 1 }),
  policies: fc.option(fc.uniqueArray(fc.constantFrom(...POLICIES), { minLength: 1 }), {
    nil: undefined,
    freq: 5,
  }),
  mappings: fc.option(fc.uniqueArray(mapping, { minLength: 1, maxLength: 3, selector: String }), {
    nil: undefined,
    freq: 1,
  }),
  requireExplicitPolicy: count,
  inhibitPolicyMapping: count,
  inhibitAnyPolicy: count,
  permitted: fc.option(fc.constantFrom(...TREES), { nil: undefined, freq: 1 }),
  excluded: fc.option(fc.constantFrom(...TREES), { nil: undefined, freq: 1 }),
  mailbox: fc.option(fc.constantFrom(...MAILBOXES), { nil: undefined, freq: 1 }),
})
type Level = typeof LEVEL extends fc.Arbitrary<infer Value> ? Value : never

const OPTIONS = fc.record({
  initialExplicitPolicy: fc.boolean(),
  initialPolicyMappingInhibit: fc.nat(4).map((number) => number === 0),
  initialAnyPolicyInhibit: fc.nat(4).map((number) => number === 0),
  initialPolicies: fc.option(fc.constantFrom(["1.2.3.1"], ["1.2.3.2"], ["1.2.3.1", "1.2.3.2"]), {
    nil: undefined,
  }),
})

it("judges random paths as openssl does", async () => {
  const root = await newRoot()
  const rootFile = await judge.certificate("root.pem", root.certificate.der)
  const keys = Array.from({ length: 6 }, () => newKey("ecdsa-sha256"))
  const seen = { valid: 0, invalid: 0 }
  const levels = fc.array(LEVEL, { minLength: 2, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(levels, OPTIONS, async (orders, { initialPolicies, ...flags }) => {
      const certificates: Certificate[] = []
      let issuer = { ...root, subject: root.certificate.subject }
      for (const [index, order] of orders.entries()) {
        const key = keys[index] ?? root
        const isLast = index === orders.length - 1
        // At the last certificate OpenSSL spares a self-issued one in 6.1.5 (a), for which the standard has no word.
        const selfIssued = order.selfIssued && index > 0 && !isLast
        const subject = selfIssued ? issuer.subject : writeName({ commonName: `Level ${index}` })
        const der = await issueCertificate({
          subject,
          issuer: issuer.subject,
          serialNumber: BigInt(`0x${randomBytes(8).toString("hex")}`) + 1n,
          notBefore: new Date("2026-01-01T00:00:00Z"),
          notAfter: new Date("2030-01-01T00:00:00Z"),
          publicKeySpki: key.publicKeySpki,
          ...(!isLast && { basicConstraints: basicConstraints(order) }),
          keyUsage: isLast ? ["digitalSignature"] : ["keyCertSign"],
          authorityKeyIdentifier: issuer.certificate.subjectKeyIdentifier ?? new Uint8Array(),
          ...(order.policies && { certificatePolicies: order.policies }),
          otherExtensions: extensions(order, isLast),
          algorithm: "ecdsa-sha256",
          issuerPublicKeySpki: issuer.publicKeySpki,
          signBytes: async (bytes) => sign("sha256", bytes, issuer.privateKey),
        })
        const certificate = readCertificate(der)
        certificates.push(certificate)
        issuer = { ...key, certificate, subject }
      }
      const options: PathOptions = { at: AT, ...flags, ...(initialPolicies && { initialPolicies }) }
      const ours = validatePath({ anchor: root.certificate, certificates }, options)
      const theirs = await opensslVerify(rootFile, certificates, options)
      expect(ours.valid, `we say ${ours.valid ? "valid" : ours.reason}, openssl: ${theirs.text}`).toBe(
        theirs.ok,
      )
      seen[ours.valid ? "valid" : "invalid"] += 1
    }),
    { numRuns: 60 },
  )
  // Neither verdict is rare, so agreement means something.
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(5)
}, 120_000)

function basicConstraints({ pathLength }: Level): { ca: true; pathLength?: number } {
  return pathLength === undefined ? { ca: true } : { ca: true, pathLength }
}

function extensions(order: Level, isLast: boolean): readonly Extension[] {
  const found: Extension[] = []
  const add = (id: string, value: Uint8Array) => found.push({ id, critical: true, value })
  const { requireExplicitPolicy: require, inhibitPolicyMapping: inhibit } = order
  const mail = (text: string) => implicit(1, octetString(Buffer.from(text)))
  if (order.mailbox !== undefined) add(EXTENSION.subjectAltName, sequence(mail(order.mailbox)))
  if (isLast) return found
  if (require !== undefined || inhibit !== undefined)
    add(
      EXTENSION.policyConstraints,
      sequence(
        ...(require === undefined ? [] : [implicit(0, integer(require))]),
        ...(inhibit === undefined ? [] : [implicit(1, integer(inhibit))]),
      ),
    )
  if (order.inhibitAnyPolicy !== undefined) add(EXTENSION.inhibitAnyPolicy, integer(order.inhibitAnyPolicy))
  if (order.mappings !== undefined)
    add(
      EXTENSION.policyMappings,
      sequence(...order.mappings.map(([from, to]) => sequence(oid(from), oid(to)))),
    )
  const trees = (number: number, tree: string | undefined) =>
    tree === undefined ? [] : [implicit(number, sequence(sequence(mail(tree))))]
  if (order.permitted !== undefined || order.excluded !== undefined)
    add(EXTENSION.nameConstraints, sequence(...trees(0, order.permitted), ...trees(1, order.excluded)))
  return found
}

async function opensslVerify(root: string, certificates: readonly Certificate[], options: PathOptions) {
  const files = await Promise.all(
    certificates.map(({ der }, index) => judge.certificate(`${index}.pem`, der)),
  )
  const target = files.pop() ?? ""
  return judge.run(
    "verify",
    ...["-attime", String(Number(options.at) / 1000), "-CAfile", root, "-policy_check"],
    ...(options.initialExplicitPolicy ? ["-explicit_policy"] : []),
    ...(options.initialPolicyMappingInhibit ? ["-inhibit_map"] : []),
    ...(options.initialAnyPolicyInhibit ? ["-inhibit_any"] : []),
    // Without a policy it would accept none, not any.
    ...(options.initialPolicies ?? [ANY]).flatMap((policy) => ["-policy", policy]),
    ...files.flatMap((file) => ["-untrusted", file]),
    target,
  )
}
