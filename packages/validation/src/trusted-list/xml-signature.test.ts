import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, type KeyKind, newRoot } from "../testing/keys.ts"
import { type SigningOrder, signList } from "../testing/list-signer.ts"
import { nationalList, newTrustWorld, type TrustWorld } from "../testing/trust-world.ts"
import { readXml } from "./xml-reader.ts"
import { verifyListSignature } from "./xml-signature.ts"

let world: TrustWorld
let xml: string
const holders = new Map<KeyKind, Holder>()

beforeAll(async () => {
  world = await newTrustWorld()
  xml = nationalList(world, "AT")
  for (const kind of ["P-256", "P-384", "RSA", "RSA-1024"] as const)
    holders.set(kind, await newRoot({ name: kind, kind }))
})

function verify(order: Omit<SigningOrder, "signer"> & { readonly kind?: KeyKind }) {
  const signer = holders.get(order.kind ?? "P-256") as Holder
  return verifyListSignature(readXml(signList(xml, { ...order, signer })), [
    world.operator.certificate,
    signer.certificate,
  ])
}

// The wrong ones are in load-lists.test.ts.
describe("the signature of a list", () => {
  it.each<readonly [string, Omit<SigningOrder, "signer"> & { readonly kind?: KeyKind }]>([
    ["ECDSA with P-256 and SHA-256", {}],
    ["ECDSA with P-384 and SHA-384", { kind: "P-384", digest: "sha384" }],
    ["RSA with SHA-256", { kind: "RSA" }],
    ["RSA with SHA-512", { kind: "RSA", digest: "sha512" }],
    ["RSA-PSS with SHA-256", { kind: "RSA", isPss: true }],
    ["RSA-PSS with SHA-512", { kind: "RSA", digest: "sha512", isPss: true }],
    ["inclusive canonicalization", { canonicalization: "inclusive" }],
    ["properties without a transform", { propertiesTransform: false }],
    ["the older reference to the certificate", { isOldReference: true }],
  ])("verifies: %s", (_, order) => {
    expect(verify(order)).toMatchObject({ valid: true, claimedTime: Date.parse("2026-01-01T00:00:00Z") })
  })

  it("names the signer among those who may sign", () => {
    const verdict = verify({})
    expect(verdict.valid && verdict.signer.subjectName).toBe("P-256")
  })

  it("is refused with a key that is too short", () => {
    expect(verify({ kind: "RSA-1024" })).toMatchObject({
      valid: false,
      reason: "weak-algorithm",
      detail: "a weak key",
    })
  })

  it("is refused if its method is of another kind of key", () => {
    const method = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    expect(verify({ method })).toMatchObject({ valid: false, reason: "bad-signature" })
  })

  it("is refused with PSS in the place of PKCS #1, and the other way round", () => {
    const pss = "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"
    expect(verify({ kind: "RSA", method: pss })).toMatchObject({ valid: false, reason: "bad-signature" })
    const plain = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    expect(verify({ kind: "RSA", isPss: true, method: plain })).toMatchObject({
      valid: false,
      reason: "bad-signature",
    })
  })

  it("is believed by nobody who knows nobody", () => {
    const signed = signList(xml, { signer: world.AT.operator })
    expect(verifyListSignature(readXml(signed), [])).toMatchObject({ valid: false, reason: "unknown-signer" })
  })

  it("covers every byte that is read: whatever is changed in what is not a comment is noticed", () => {
    const signed = Buffer.from(signList(xml, { signer: world.AT.operator }))
    const signers = [world.AT.operator.certificate]
    let refused = 0
    for (let at = 60; at < signed.length; at += 7) {
      const changed = Buffer.from(signed)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      const verdict = tryToVerify(changed, signers)
      if (verdict !== "valid") refused += 1
      else expect(whatIsSaid(changed)).toEqual(whatIsSaid(signed))
    }
    expect(refused).toBeGreaterThan(500)
  })
})

function tryToVerify(bytes: Uint8Array, signers: Parameters<typeof verifyListSignature>[1]): string {
  try {
    const verdict = verifyListSignature(readXml(bytes), signers)
    return verdict.valid ? "valid" : verdict.reason
  } catch {
    return "unreadable"
  }
}

// What stands in the list itself: without the signature, whose KeyInfo nobody signs and nobody reads.
function whatIsSaid(bytes: Uint8Array): string {
  const root = readXml(bytes)
  return JSON.stringify(root.children.slice(0, -1), (key, value) => (key === "parent" ? undefined : value))
}
