import { generateKeyPairSync, sign } from "node:crypto"
import { readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import { beforeAll, describe, expect, it } from "vitest"
import { checkIssued, type Expected } from "./check-issued.ts"

const NOW = new Date("2026-11-16T09:00:00Z")
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const ADA = writeName({ commonName: "Ada Lovelace" })

type Key = { readonly spki: Uint8Array; readonly signBytes: CertificateOrder["signBytes"] }

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    spki: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
    signBytes: async (bytes) => sign("sha256", bytes, privateKey),
  }
}

const [root, issuing, ada] = [newKey(), newKey(), newKey()]
const ROOT = writeName({ commonName: "Root" })
const ISSUING = writeName({ commonName: "Issuing" })
const AUTHORITY = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const

const issued = async (by: Key, issuer: Uint8Array, of: Key, order: Partial<CertificateOrder> = {}) =>
  readCertificate(
    await issueCertificate({
      subject: ADA,
      issuer,
      serialNumber: 1n,
      notBefore: inDays(-1),
      notAfter: inDays(30),
      publicKeySpki: of.spki,
      keyUsage: ["digitalSignature", "contentCommitment"],
      algorithm: "ecdsa-sha256",
      issuerPublicKeySpki: by.spki,
      signBytes: by.signBytes,
      ...order,
    }),
  )

describe("what somebody else issued", () => {
  let expected: Expected
  beforeAll(async () => {
    const anchor = await issued(root, ROOT, root, { subject: ROOT, ...AUTHORITY })
    const above = await issued(root, ROOT, issuing, { subject: ISSUING, ...AUTHORITY })
    expected = { subject: ADA, publicKeySpki: ada.spki, issuers: [above], anchors: [anchor], now: NOW }
  })
  const byIssuing = (order: Partial<CertificateOrder> = {}) => issued(issuing, ISSUING, ada, order)

  it("is taken with its chain, the nearest issuer first, wherever that came from", async () => {
    const certificate = await byIssuing()
    const chain = [...expected.issuers, ...expected.anchors].map(({ der }) => der)
    expect(checkIssued([certificate], expected)).toEqual({ certificate: certificate.der, chain })
    const beside = [...expected.issuers, certificate]
    expect(checkIssued(beside, { ...expected, issuers: [] })).toEqual({ certificate: certificate.der, chain })
  })

  it.each<[string, () => ReturnType<typeof byIssuing>, string]>([
    ["about another key", () => issued(issuing, ISSUING, newKey()), "our key"],
    [
      "about somebody else",
      () => byIssuing({ subject: writeName({ commonName: "Ada Byron" }) }),
      "somebody else",
    ],
    [
      "about us and more",
      () => byIssuing({ subject: writeName({ commonName: "Ada Lovelace", organization: "Acme" }) }),
      "somebody else",
    ],
    ["that has ended", () => byIssuing({ notAfter: inDays(-0.5) }), "not valid now"],
    ["of tomorrow", () => byIssuing({ notBefore: inDays(1) }), "not valid now"],
    ["of an authority", () => byIssuing(AUTHORITY), "authority's"],
    ["for servers", () => byIssuing({ keyUsage: ["keyEncipherment"] }), "not for signatures"],
    ["for nothing in particular", () => byIssuing({ keyUsage: [] }), "not for signatures"],
    ["by a stranger of the same name", () => issued(newKey(), ISSUING, ada, {}), "anchors"],
  ])("is refused: one %s", async (_, make, told) => {
    const certificate = await make()
    expect(() => checkIssued([certificate], expected)).toThrow(
      expect.objectContaining({ code: "wrong-answer", message: expect.stringContaining(told) }),
    )
  })

  it("is refused where nothing came", () => {
    expect(() => checkIssued([], expected)).toThrow(expect.objectContaining({ code: "wrong-answer" }))
  })
})
