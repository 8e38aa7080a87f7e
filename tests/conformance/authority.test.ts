// Certificates of the built-in authority, and what it says of them, judged by OpenSSL and by our own engine.

import { randomBytes, randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { refreshAnswers } from "@paraph/gateways/issuing-ca/answers"
import { createBuiltInAuthority } from "@paraph/gateways/issuing-ca/built-in"
import { createLocalRevocation } from "@paraph/gateways/issuing-ca/local-revocation"
import type { Kind } from "@paraph/gateways/issuing-ca/records"
import { roll } from "@paraph/gateways/issuing-ca/roll"
import { nameOf, serialOf } from "@paraph/gateways/issuing-ca/world"
import { readCertificate } from "@paraph/pki/certificate"
import { revokeIssued } from "@paraph/store/postgres/issued-certificates"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  ADDRESS,
  BEGINNING,
  DAY_MS,
  NOBODY,
  type Office,
  openOffice,
  openssl,
  openToken,
  SETTINGS,
  seconds,
  type Token,
  writePem,
} from "./authority-world.ts"

let token: Token
let office: Office
beforeAll(async () => {
  token = await openToken()
})
afterAll(() => token.close())
beforeEach(async () => {
  office = await openOffice(token)
  return () => office.database.close()
})

describe("a certificate of the built-in authority", () => {
  it("is what OpenSSL verifies, strictly, with the lists of every authority above it", async () => {
    await office.init()
    const { certificate, chain } = await office.issue(office.order())
    expect(chain).toHaveLength(2)
    const [issuing = certificate, root = certificate] = chain
    const lists = await listsOf("production")
    const verified = await openssl(
      ...["verify", "-x509_strict", "-crl_check_all", "-attime", seconds(BEGINNING)],
      ...["-CAfile", pem("root", root), "-untrusted", pem("issuing", issuing), "-CRLfile", lists],
      pem("signer", certificate),
    )
    expect(verified).toMatchObject({ ok: true })
    const { text } = await openssl("x509", "-in", pem("signer", certificate), "-noout", "-text", ...NAMES)
    expect(text).toContain(
      "Subject: C=RO, SN=Dvořák-Şahin, GN=François, serialNumber=7f3a, CN=François Dvořák-Şahin",
    )
    expect(text).toContain("Issuer: C=CH, O=Müller Söhne AG, CN=Müller Söhne AG Issuing CA 1")
    expect(text).toContain("Digital Signature, Non Repudiation")
    expect(text).toContain("Policy: 2.999.1.2")
    expect(text).toContain(`OCSP - URI:${ADDRESS}/pki/production/ocsp`)
    expect(text).toContain(`CA Issuers - URI:${ADDRESS}/pki/production/issuing-1.cer`)
    expect(text).toContain(`URI:${ADDRESS}/pki/production/issuing-1.crl`)
    // It is not qualified, and says nothing that could be taken for it (EN 319 412-5).
    expect(text).not.toContain("qcStatements")
  })

  it("has an answer from its first moment on, which OpenSSL believes for both digests of the question", async () => {
    await office.init()
    const { certificate, chain } = await office.issue(office.order())
    const [issuing = certificate, root = certificate] = chain
    const { answer } = await office.issuedRow(certificate)
    const file = join(token.folder, "answer")
    writeFileSync(file, answer?.bytes ?? "")
    for (const digest of ["-sha1", "-sha256"]) {
      const asked = ["-issuer", pem("issuing", issuing), digest, "-cert", pem("signer", certificate)]
      const { text } = await openssl(
        ...["ocsp", "-respin", file, "-CAfile", pem("root", root), "-no_nonce"],
        ...[
          "-verify_other",
          pem("issuing", issuing),
          "-attime",
          seconds(BEGINNING),
          "-validity_period",
          "999999999",
        ],
        ...asked,
      )
      expect(text).toContain("Response verify OK")
      expect(text).toMatch(/signer\.pem: good/)
    }
  })

  it("is the same for the same order, also for two who ask at once, and for one whose issuer was cut off", async () => {
    await office.init()
    const order = office.order()
    const [one, other] = await Promise.all([office.issue(order), office.issue(order)])
    expect(Buffer.compare(one.certificate, other.certificate)).toBe(0)
    expect(
      (await office.issue({ ...order, notAfter: new Date(BEGINNING.getTime() + DAY_MS) })).certificate,
    ).toEqual(one.certificate)
    const next = office.order()
    let recorded: Uint8Array | undefined
    const cutOff = createBuiltInAuthority({
      ...office.world,
      records: {
        ...office.records,
        completeOrder: async ({ serial }) => {
          recorded = serial
          throw new Error("the process died")
        },
      },
    })
    await expect(cutOff(next, BEGINNING)).rejects.toThrow("the process died")
    const { certificate } = await office.issue(next)
    expect(serialOf(readCertificate(certificate).serialNumber)).toEqual(recorded)
    expect(await count("issued_certificate where order_id not like 'authority %'")).toBe(2)
  })

  it("is refused for an id that was ordered for another key or another name", async () => {
    await office.init()
    const order = office.order()
    await office.issue(order)
    const another = await token.keys.generate(`signer ${randomUUID()}`, "P-256")
    for (const changed of [{ publicKeySpki: another }, { subject: { ...order.subject, surname: "Meier" } }])
      await expect(office.issue({ ...order, ...changed })).rejects.toMatchObject({ code: "another-order" })
  })

  it("is issued by nobody where the kind has no authority, and never by that of the other kind", async () => {
    await office.init("demo")
    await expect(office.issue(office.order())).rejects.toMatchObject({ code: "no-authority" })
    const { chain } = await office.issue(office.order({ kind: "demo" }))
    expect(readCertificate(chain[0] ?? new Uint8Array()).subjectName).toContain("demo, no legal effect")
    const [demo] = await office.records.authorities("demo")
    const order = { issuerId: demo?.id ?? "", serial: randomBytes(16), kind: "production" as const }
    const rest = { orderId: "x", orderHash: Buffer.alloc(32), notBefore: BEGINNING, notAfter: BEGINNING }
    await expect(office.records.recordOrder({ ...order, ...rest }, BEGINNING)).rejects.toThrow("foreign key")
  })
})

describe("what the authority says of its certificates", () => {
  it("is enough for raising a signature, and nobody outside is asked", async () => {
    await office.init()
    const { certificate, chain } = await office.issue(office.order())
    const { ocspResponses, crls } = await office.evidence(certificate, chain, BEGINNING)
    expect([ocspResponses.length, crls.length]).toEqual([1, 1])
    const elsewhere = createLocalRevocation(office.world, NOBODY, () => BEGINNING)
    await expect(elsewhere.askOcsp("http://ocsp.example.com/", new Uint8Array())).rejects.toThrow(
      "over the network",
    )
    await expect(elsewhere.fetchCrl(`${ADDRESS}.evil.example/pki/production/issuing-1.crl`)).rejects.toThrow(
      "over the network",
    )
  })

  it("is that it was revoked, in every answer and list from then on", async () => {
    await office.init()
    const { certificate, chain } = await office.issue(office.order())
    const { certificate: another } = await office.issue(office.order())
    const row = await office.issuedRow(certificate)
    const at = new Date(BEGINNING.getTime() + 3_600_000)
    expect(await revokeIssued(office.database.db, row, { at, reason: "keyCompromise" })).toBe(true)
    expect(await revokeIssued(office.database.db, row, { at, reason: "superseded" })).toBe(false)
    const later = new Date(at.getTime() + 1000)
    expect(await refreshAnswers(office.world, later, 100)).toBe(1)
    await roll(office.world, "production", SETTINGS, later)
    await expect(office.evidence(certificate, chain, later)).rejects.toMatchObject({ code: "revoked" })
    await office.evidence(another, chain, later)
    const [issuing = certificate, root = certificate] = chain
    const judged = (der: Uint8Array, lists: string) =>
      openssl(
        ...["verify", "-crl_check", "-attime", seconds(later), "-CAfile", pem("root", root)],
        ...["-untrusted", pem("issuing", issuing), "-CRLfile", lists, pem("signer", der)],
      )
    const lists = await listsOf("production")
    expect(await judged(certificate, lists)).toMatchObject({
      ok: false,
      text: expect.stringContaining("revoked"),
    })
    expect(await judged(another, lists)).toMatchObject({ ok: true })
  })
})

const NAMES = ["-nameopt", "utf8,sep_comma_plus_space,sname,-esc_msb"]

const pem = (name: string, der: Uint8Array) => writePem(token, name, der)

/** PEM of all lists that the office.world can fetch. */
async function listsOf(kind: Kind): Promise<string> {
  const texts: string[] = []
  for (const row of await office.records.authorities(kind)) {
    const kept = await office.records.findList(row.id)
    if (kept === null) continue
    const lines =
      Buffer.from(kept.list)
        .toString("base64")
        .match(/.{1,64}/g) ?? []
    texts.push(`-----BEGIN X509 CRL-----\n${lines.join("\n")}\n-----END X509 CRL-----\n`)
    expect(["root-1", "issuing-1"]).toContain(nameOf(row))
  }
  const file = join(token.folder, "lists.pem")
  writeFileSync(file, texts.join(""))
  return file
}

async function count(what: string): Promise<number> {
  const { rows } = await office.database.pool.query(`select count(*)::int as n from ${what}`)
  return rows[0].n
}
