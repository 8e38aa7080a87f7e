// The built-in authority while years pass, and under somebody else's root.

import { randomUUID, X509Certificate } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { refreshAnswers } from "@paraph/gateways/issuing-ca/answers"
import { createLocalRevocation } from "@paraph/gateways/issuing-ca/local-revocation"
import type { Authority } from "@paraph/gateways/issuing-ca/records"
import { installAuthority, requestAuthority } from "@paraph/gateways/issuing-ca/request"
import { initAuthority, roll } from "@paraph/gateways/issuing-ca/roll"
import { type AuthorityWorld, newest } from "@paraph/gateways/issuing-ca/world"
import { readCertificate } from "@paraph/pki/certificate"
import { findEntry, readCrl } from "@paraph/pki/crl"
import { revokeIssued } from "@paraph/store/postgres/issued-certificates"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  ADDRESS,
  BEGINNING,
  DAY_MS,
  NOBODY,
  type Office,
  OPERATOR,
  openOffice,
  openssl,
  openToken,
  SETTINGS,
  type Token,
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

describe("years", () => {
  it("pass, and signing goes on: each generation is there before the last one ends, and older certificates still get answers", async () => {
    await office.init()
    const rows = () => office.records.authorities("production")
    const [root] = (await rows()).filter(({ role }) => role === "root")
    const kept: {
      readonly certificate: Uint8Array
      readonly chain: readonly Uint8Array[]
      readonly ends: Date
    }[] = []
    // Shorter than what is left of anything when its successor is made.
    const STEP_MS = 28 * DAY_MS
    for (let step = 0; step < 85; step += 1) {
      const now = new Date(BEGINNING.getTime() + step * STEP_MS)
      for (const role of ["issuing", "responder", "service", "report"] as const)
        expect(newest(await rows(), role, now), `${role} on ${now.toISOString()}`).toBeDefined()
      expect((await roll(office.world, "production", SETTINGS, now)).problems).toEqual([])
      while ((await refreshAnswers(office.world, now, 100)) === 100);
      if (step % 9 > 0) continue
      const ends = new Date(now.getTime() + 370 * DAY_MS)
      const made = await office.issue(office.order({ notAfter: ends }, now), now)
      expect(made.chain.at(-1)).toEqual(root?.certificate)
      // Whatever is issued lives as long as was promised: no authority issues in its last year.
      expect(readCertificate(made.certificate).notAfter).toEqual(ends)
      kept.push({ ...made, ends })
      for (const { certificate, chain } of kept.filter((one) => one.ends > now)) {
        await office.evidence(certificate, chain, now)
        const { answer } = await office.issuedRow(certificate)
        expect(answer?.until.getTime()).toBeGreaterThan(now.getTime())
      }
      const service = newest(await rows(), "service", now)
      await office.evidence(service?.certificate ?? new Uint8Array(), chainTo(await rows(), service), now)
    }
    const generations = async (role: Authority["role"]) =>
      (await rows()).filter((row) => row.role === role).length
    expect(await generations("issuing")).toBe(2)
    expect(await generations("service")).toBeGreaterThan(5)
    expect(await generations("responder")).toBeGreaterThan(30)
  }, 300_000)

  it("of absence pass at once, and all is made anew the next time that somebody looks", async () => {
    await office.init()
    const now = new Date(BEGINNING.getTime() + 8 * 365 * DAY_MS)
    await expect(office.issue(office.order({}, now), now)).rejects.toMatchObject({ code: "no-authority" })
    const { made, problems } = await roll(office.world, "production", SETTINGS, now)
    expect([made.length, problems.length]).toEqual([4, 0])
    const { certificate, chain } = await office.issue(office.order({}, now), now)
    await office.evidence(certificate, chain, now)
  })

  it("pass with the root's key in another token, which is asked for in time and only then", async () => {
    const withRoot: AuthorityWorld = {
      ...office.world,
      keys: (_, role) => (role === "root" ? token.rootKeys : token.keys),
    }
    await initAuthority(withRoot, "production", OPERATOR, SETTINGS, BEGINNING, "seldom")
    const month = new Date(BEGINNING.getTime() + 30 * DAY_MS)
    expect((await roll(office.world, "production", SETTINGS, month)).problems).toEqual([])
    const { certificate, chain } = await office.issue(office.order({}, month), month)
    await office.evidence(certificate, chain, month)
    const fifthYear = new Date(BEGINNING.getTime() + 5 * 365 * DAY_MS)
    const { made, problems } = await roll(office.world, "production", SETTINGS, fifthYear)
    expect(problems).toEqual([
      expect.stringContaining("the root's key is not here: paraph ca roll"),
      expect.stringContaining("its list is due"),
    ])
    expect(made).toHaveLength(3)
    const byHand = await roll(withRoot, "production", SETTINGS, fifthYear, "seldom")
    expect(byHand.problems).toEqual([])
    expect((await roll(office.world, "production", SETTINGS, fifthYear)).problems).toEqual([])
  })

  it("that a clock was ahead leave nothing behind: lists and answers of the future are signed anew, at once", async () => {
    await office.init()
    const ahead = new Date(BEGINNING.getTime() + 20 * DAY_MS)
    await roll(office.world, "production", SETTINGS, ahead)
    const { certificate, chain } = await office.issue(office.order({}, BEGINNING), BEGINNING)
    while ((await refreshAnswers(office.world, ahead, 100)) === 100);
    const listed = async () => {
      const rows = await office.records.authorities("production")
      const lists = await Promise.all(rows.map(({ id }) => office.records.findList(id)))
      return lists.flatMap((list) => (list === null ? [] : [list]))
    }
    const before = await listed()
    expect(before.map(({ issuedAt }) => issuedAt)).toEqual([ahead, ahead])
    await office.evidence(certificate, chain, BEGINNING)
    const after = await listed()
    expect(after.map(({ issuedAt }) => issuedAt)).toEqual([BEGINNING, BEGINNING])
    expect(after.map(({ number }) => number)).toEqual(before.map(({ number }) => number + 1))
    // For the world the sweep does it, and once.
    expect((await office.issuedRow(certificate)).answer?.at).toEqual(ahead)
    expect(await refreshAnswers(office.world, BEGINNING, 100)).toBeGreaterThan(0)
    expect((await office.issuedRow(certificate)).answer?.at).toEqual(BEGINNING)
    expect(await refreshAnswers(office.world, BEGINNING, 100)).toBe(0)
    // Two machines whose clocks differ by a little do not sign against each other.
    await roll(office.world, "production", SETTINGS, new Date(BEGINNING.getTime() - 240_000))
    expect(await listed()).toEqual(after)
  })

  it("that a clock was ahead take no revocation back", async () => {
    await office.init()
    const { certificate, chain } = await office.issue(office.order())
    const ahead = new Date(BEGINNING.getTime() + 3 * DAY_MS)
    const row = await office.issuedRow(certificate)
    await revokeIssued(office.database.db, row, { at: ahead, reason: "keyCompromise" })
    await refreshAnswers(office.world, ahead, 100)
    await roll(office.world, "production", SETTINGS, ahead)
    await expect(office.evidence(certificate, chain, BEGINNING)).rejects.toMatchObject({ code: "revoked" })
    await roll(office.world, "production", SETTINGS, BEGINNING)
    for (const { id, role } of await office.records.authorities("production")) {
      if (role !== "issuing") continue
      const list = readCrl((await office.records.findList(id))?.list ?? new Uint8Array())
      const entry = findEntry(list, readCertificate(certificate).serialNumber, () => true)
      expect(entry).toMatchObject({ revokedAt: BEGINNING, reason: "keyCompromise" })
    }
  })

  it("that the clock of a root elsewhere was ahead are told, and its list stays what there is", async () => {
    const withRoot: AuthorityWorld = {
      ...office.world,
      keys: (_, role) => (role === "root" ? token.rootKeys : token.keys),
    }
    const ahead = new Date(BEGINNING.getTime() + 10 * DAY_MS)
    await initAuthority(withRoot, "production", OPERATOR, SETTINGS, BEGINNING, "seldom")
    const [root] = (await office.records.authorities("production")).filter(({ role }) => role === "root")
    const list = () => office.records.findList(root?.id ?? "")
    const first = await list()
    // A worker's clock that was ahead asks nothing of the root: its list is good for long.
    await roll(office.world, "production", SETTINGS, ahead)
    expect(await list()).toEqual(first)
    const { certificate, chain } = await office.issue(office.order())
    await office.evidence(certificate, chain, BEGINNING)
    // But where it was the operator's own clock, somebody has to come back with the key, and reads so.
    const due = new Date(BEGINNING.getTime() + 310 * DAY_MS)
    await roll(withRoot, "production", SETTINGS, due, "seldom")
    const ofTheFuture = await list()
    const back = new Date(BEGINNING.getTime() + 300 * DAY_MS)
    const { problems } = await roll(office.world, "production", SETTINGS, back)
    expect(problems).toEqual([expect.stringContaining("its list is due")])
    expect(await list()).toEqual(ofTheFuture)
    const local = createLocalRevocation(office.world, NOBODY, () => back)
    const kept = await local.fetchCrl(`${ADDRESS}/pki/production/root-1.crl`)
    expect(Buffer.compare(kept, ofTheFuture?.list ?? new Uint8Array())).toBe(0)
    await roll(withRoot, "production", SETTINGS, back, "seldom")
    expect(await list()).toMatchObject({ issuedAt: back, until: new Date(back.getTime() + 400 * DAY_MS) })
    expect((await roll(office.world, "production", SETTINGS, back)).problems).toEqual([])
  })

  it("that were cut off in the middle of a new generation are taken up again", async () => {
    await office.init()
    const now = new Date(BEGINNING.getTime() + 5 * 365 * DAY_MS)
    const dying = {
      ...office.world,
      records: {
        ...office.records,
        completeAuthority: async () => Promise.reject(new Error("the process died")),
      },
    }
    await expect(roll(dying, "production", SETTINGS, now)).rejects.toThrow("the process died")
    await roll(office.world, "production", SETTINGS, now)
    const rows = await office.records.authorities("production")
    expect(rows.filter(({ role }) => role === "issuing")).toMatchObject([
      { generation: 1 },
      { generation: 2, state: "active" },
    ])
  })
})

describe("an issuing authority under somebody else's root", () => {
  it("is asked for, and taken when OpenSSL has signed it and all of it holds", async () => {
    const { request } = await requestAuthority(office.world, "production", OPERATOR, BEGINNING)
    const again = await requestAuthority(office.world, "production", OPERATOR, BEGINNING)
    const file = join(token.folder, "request.der")
    writeFileSync(file, request)
    const foreign = await foreignRoot()
    const ca = [
      "basicConstraints=critical,CA:TRUE,pathlen:0",
      "keyUsage=critical,keyCertSign,cRLSign",
      "subjectKeyIdentifier=hash",
    ]
    const signed = await signedBy(foreign, file, ca)
    const install = (pemText: string) => installAuthority(office.world, "production", pemText, new Date())
    const root = readFileSync(foreign.certificate, "utf8")
    await expect(install(signed)).rejects.toThrow("issuers are missing")
    await expect(
      install((await signedBy(foreign, file, ["basicConstraints=CA:FALSE"])) + root),
    ).rejects.toThrow("no certificate of an authority")
    await expect(
      install((await signedBy(foreign, file, ca.with(1, "keyUsage=keyCertSign"))) + root),
    ).rejects.toThrow("lists")
    const stranger = await foreignRoot()
    await expect(install(signed + readFileSync(stranger.certificate, "utf8"))).rejects.toThrow(
      "does not hold",
    )
    await expect(install(root + root)).rejects.toThrow("another key")
    await expect(install("no PEM")).rejects.toThrow("no certificate")
    const installed = await install(signed + root)
    expect(installed.keyLabel).toBe(again.authority.keyLabel)
    await roll(office.world, "production", SETTINGS, new Date())
    const { chain } = await office.issue(office.order({}, new Date()), new Date())
    expect(chain).toHaveLength(2)
    expect(new X509Certificate(chain[1] ?? "").subject).toContain("Foreign root")
    await expect(install(signed + root)).rejects.toThrow("Nothing was requested")
  })
})

function chainTo(rows: readonly Authority[], of: Authority | undefined): Uint8Array[] {
  const issuer = rows.find(({ id }) => id === of?.issuerId)
  return issuer?.certificate == null ? [] : [issuer.certificate, ...chainTo(rows, issuer)]
}

type Foreign = { readonly key: string; readonly certificate: string }

async function foreignRoot(): Promise<Foreign> {
  const name = randomUUID()
  const files = { key: join(token.folder, `${name}.key`), certificate: join(token.folder, `${name}.crt`) }
  const made = await openssl(
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes", "-days", "3650"],
    ...["-subj", "/O=Somebody else/CN=Foreign root", "-keyout", files.key, "-out", files.certificate],
  )
  expect(made).toMatchObject({ ok: true })
  return files
}

async function signedBy({ key, certificate }: Foreign, request: string, extensions: readonly string[]) {
  const file = join(token.folder, "extensions")
  writeFileSync(file, extensions.join("\n"))
  const out = join(token.folder, "signed.pem")
  const signed = await openssl(
    ...["x509", "-req", "-inform", "DER", "-in", request, "-CA", certificate, "-CAkey", key],
    ...["-days", "2000", "-extfile", file, "-out", out],
  )
  expect(signed).toMatchObject({ ok: true })
  return readFileSync(out, "utf8")
}
