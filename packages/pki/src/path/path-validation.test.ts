import { describe, expect, it } from "vitest"
import { type CertificateOrder, writeName } from "../certificate/certificate-writer.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import { implicit, integer, oid, sequence } from "../der/der-writer.ts"
import {
  type Holder,
  NOT_AFTER,
  NOT_BEFORE,
  newHolder,
  newRoot,
  TIME_STAMPING,
} from "../testing/small-pki.ts"
import { rsaKey, withSha1 } from "../testing/weak.ts"
import { type CertificatePath, type PathOptions, validatePath } from "./path-validation.ts"
import { ANY_POLICY } from "./policy-graph.ts"

const AT = new Date("2026-06-01T00:00:00Z")
const AUTHORITY = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const
const root = await newRoot()

async function chain(...orders: readonly Partial<CertificateOrder>[]): Promise<CertificatePath> {
  let issuer: Holder = root
  const certificates = []
  for (const [level, order] of orders.entries()) {
    const subject = writeName({ commonName: `Level ${level}` })
    const isLast = level === orders.length - 1
    issuer = await newHolder(issuer, "ecdsa-sha256", { subject, ...(isLast ? {} : AUTHORITY), ...order })
    certificates.push(issuer.certificate)
  }
  return { anchor: root.certificate, certificates }
}

const judge = async (orders: readonly Partial<CertificateOrder>[], options: Partial<PathOptions> = {}) =>
  validatePath(await chain(...orders), { at: AT, ...options })

describe("validatePath", () => {
  it("accepts a sound path, at both ends of its validity", async () => {
    const path = await chain({}, {}, {})
    for (const at of [NOT_BEFORE, AT, NOT_AFTER])
      expect(validatePath(path, { at })).toMatchObject({ valid: true, validPolicies: [] })
    const [, , target] = path.certificates
    expect(validatePath(path, { at: AT })).toHaveProperty("publicKeySpki", target?.publicKeySpki)
  })

  it("wants every certificate to be valid at the time", async () => {
    const path = await chain({}, {})
    expect(validatePath(path, { at: new Date(NOT_BEFORE.getTime() - 1) })).toEqual({
      valid: false,
      reason: "not-yet-valid",
      at: 0,
    })
    expect(validatePath(path, { at: new Date(NOT_AFTER.getTime() + 1000) })).toMatchObject({
      reason: "expired",
    })
    const notAfter = new Date("2026-02-01T00:00:00Z")
    expect(await judge([{}, { notAfter }])).toMatchObject({ reason: "expired", at: 1 })
  })

  it.each([
    ["not-an-authority", [{ basicConstraints: { ca: false } }, {}], 0],
    ["key-may-not-sign-certificates", [{ keyUsage: ["cRLSign"] }, {}], 0],
    ["path-too-long", [{ basicConstraints: { ca: true, pathLength: 0 } }, {}, {}], 1],
    [
      "critical-extension-unknown",
      [{}, { otherExtensions: [{ id: "1.2.3", critical: true, value: integer(1) }] }],
      1,
    ],
    [
      "malformed",
      [{}, { otherExtensions: [{ id: EXTENSION.subjectAltName, critical: false, value: integer(1) }] }],
      undefined,
    ],
    [
      "malformed",
      [{}, { otherExtensions: [{ id: EXTENSION.certificatePolicies, critical: false, value: integer(1) }] }],
      1,
    ],
    ["issuer-is-not-the-one-before", [{}, { issuer: writeName({ commonName: "Nobody" }) }], 1],
  ] as const)("says %s", async (reason, orders, at) => {
    const verdict = await judge(orders as readonly Partial<CertificateOrder>[])
    // An alternative name that nobody constrains is not read, so it can be of any form.
    expect(verdict).toMatchObject(at === undefined ? { valid: true } : { valid: false, reason, at })
  })

  it("leaves a critical extension to the caller who knows it", async () => {
    const otherExtensions = [{ id: "1.2.3", critical: true, value: integer(1) }]
    expect(await judge([{}, { otherExtensions }], { knownExtensions: ["1.2.3"] })).toMatchObject({
      valid: true,
    })
    expect(await judge([{}, TIME_STAMPING])).toMatchObject({ valid: true })
  })

  it("notices a signature of somebody else", async () => {
    const path = await chain({}, {})
    const other = await chain({}, {})
    const [ours, theirs] = [path.certificates[0], other.certificates[1]]
    if (ours === undefined || theirs === undefined) throw new Error("no certificates")
    const mixed = { ...path, certificates: [ours, theirs] }
    expect(validatePath(mixed, { at: AT })).toEqual({ valid: false, reason: "signature-invalid", at: 1 })
    const unknown = { ...theirs, signatureAlgorithm: sequence(oid("1.2.3")) }
    expect(validatePath({ ...path, certificates: [ours, unknown] }, { at: AT })).toMatchObject({
      reason: "signature-algorithm-unknown",
    })
  })

  it("does not count a certificate of version 1 as an authority's", async () => {
    const path = await chain({}, {})
    const [first, last] = path.certificates
    if (first === undefined || last === undefined) throw new Error("no certificates")
    const old = { ...first, version: 1 as const, extensions: [] }
    expect(validatePath({ ...path, certificates: [old, last] }, { at: AT })).toMatchObject({
      reason: "not-an-authority",
    })
  })

  it("asks for a policy as soon as the last certificate does", async () => {
    const value = sequence(implicit(0, integer(0)))
    const otherExtensions = [{ id: EXTENSION.policyConstraints, critical: true, value }]
    expect(await judge([{}, { otherExtensions }])).toMatchObject({ reason: "policy-required", at: 1 })
    const certificatePolicies = ["1.2.3"]
    expect(await judge([{ certificatePolicies }, { certificatePolicies, otherExtensions }])).toMatchObject({
      validPolicies: ["1.2.3"],
    })
  })

  it("maps what was asserted as anyPolicy, and tells the policy of the anchor's domain", async () => {
    const value = sequence(sequence(oid("1.2.3.1"), oid("1.2.3.2")))
    const otherExtensions = [{ id: EXTENSION.policyMappings, critical: true, value }]
    const orders = [
      { certificatePolicies: [ANY_POLICY], otherExtensions },
      { certificatePolicies: ["1.2.3.2"] },
    ]
    const options = { initialExplicitPolicy: true, initialPolicies: ["1.2.3.1"] }
    expect(await judge(orders, options)).toMatchObject({ valid: true, validPolicies: ["1.2.3.1"] })
    expect(await judge(orders, { ...options, initialPolicies: ["1.2.3.2"] })).toMatchObject({
      reason: "policy-required",
    })
  })

  it("starts with the constraints that the caller gives", async () => {
    const name = writeName({ commonName: "Level 1" })
    const tree = [{ form: "directoryName", name }] as const
    const excluding = { permitted: [], excluded: tree }
    expect(await judge([{}, {}], { initialNameConstraints: excluding })).toMatchObject({
      reason: "name-excluded",
      at: 1,
    })
    const permitting = { permitted: tree, excluded: [] }
    expect(await judge([{}, {}], { initialNameConstraints: permitting })).toMatchObject({
      reason: "name-not-permitted",
      at: 0,
    })
    expect(await judge([{ subject: name }], { initialNameConstraints: permitting })).toMatchObject({
      valid: true,
    })
  })

  it("takes an anchor for the target at its word", () => {
    expect(validatePath({ anchor: root.certificate, certificates: [] }, { at: AT })).toMatchObject({
      valid: true,
    })
  })

  it("keeps its pace where every policy is mapped onto every other, ten times over", async () => {
    // CVE-2023-0464: the tree of RFC 5280 would have 20 to the power of 10 leaves.
    const policies = Array.from({ length: 20 }, (_, index) => `1.2.3.${index}`)
    const all = policies.flatMap((from) => policies.map((to) => sequence(oid(from), oid(to))))
    const mapping = { id: EXTENSION.policyMappings, critical: true, value: sequence(...all) }
    const level = { certificatePolicies: policies, otherExtensions: [mapping] }
    const path = await chain(...Array(10).fill(level), { certificatePolicies: policies })
    const started = process.cpuUsage()
    const verdict = validatePath(path, { at: AT, initialExplicitPolicy: true })
    expect(verdict).toMatchObject({ valid: true, validPolicies: policies.toSorted() })
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })

  it("refuses more policies than anybody has", async () => {
    const certificatePolicies = Array.from({ length: 501 }, (_, index) => `1.2.3.${index}`)
    expect(await judge([{ certificatePolicies }, {}])).toMatchObject({ reason: "malformed", at: 0 })
  })
})

describe("weak algorithms", () => {
  const subject = writeName({ commonName: "Weak" })
  const any = { at: AT, algorithms: "any" } as const
  const tooWeak = (at: number) => ({ valid: false, reason: "algorithm-too-weak", at })

  it("are refused in a signature, wherever it stands, unless the caller takes any", async () => {
    const ca = await newHolder(root, "ecdsa-sha256", { ...AUTHORITY, subject })
    const target = await newHolder(ca, "ecdsa-sha256")
    const paths = [
      [withSha1(ca.certificate, root), target.certificate],
      [ca.certificate, withSha1(target.certificate, ca)],
    ]
    for (const [at, certificates] of paths.entries()) {
      const path = { anchor: root.certificate, certificates }
      expect(validatePath(path, { at: AT })).toEqual(tooWeak(at))
      expect(validatePath(path, { at: AT, algorithms: "acceptable-today" })).toEqual(tooWeak(at))
      expect(validatePath(path, any)).toMatchObject({ valid: true })
    }
  })

  it("are refused in the key of an authority, and in that of the target", async () => {
    const key = rsaKey(1024)
    const order = { subject, publicKeySpki: key.publicKeySpki }
    const ca = { ...(await newHolder(root, "ecdsa-sha256", { ...AUTHORITY, ...order })), ...key }
    const target = await newHolder(ca, "ecdsa-sha256")
    const weakest = await newHolder(root, "ecdsa-sha256", order)
    const below = { anchor: root.certificate, certificates: [ca.certificate, target.certificate] }
    expect(validatePath(below, { at: AT })).toEqual(tooWeak(1))
    expect(validatePath(below, any)).toMatchObject({ valid: true })
    const anchored = { anchor: ca.certificate, certificates: [target.certificate] }
    expect(validatePath(anchored, { at: AT })).toEqual(tooWeak(0))
    const itself = { anchor: root.certificate, certificates: [weakest.certificate] }
    expect(validatePath(itself, { at: AT })).toEqual(tooWeak(0))
    expect(validatePath(itself, any)).toMatchObject({ valid: true })
  })
})
