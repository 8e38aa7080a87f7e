// What a certificate is worth under trusted lists, compared with EU DSS: the same list, the same certificate, the same time.
// We may say less than it does, for a reason that is written here, and never more.

import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { qualify } from "../../packages/validation/src/qualification/qualify.ts"
import { type Holder, newHolder, newRoot } from "../../packages/validation/src/testing/keys.ts"
import { signList } from "../../packages/validation/src/testing/list-signer.ts"
import {
  CRITERIA,
  extension,
  type ServiceOrder,
  writeList,
} from "../../packages/validation/src/testing/list-writer.ts"
import { EU, type Listing } from "../../packages/validation/src/testing/qualification-rows.ts"
import { periodOf, serviceOf } from "../../packages/validation/src/testing/services.ts"
import { newSigner, type SignerOrder } from "../../packages/validation/src/testing/trust-world.ts"
import {
  type CertificateUse,
  QUALIFIERS,
  type Qualifier,
  type ServicePeriod,
  type TrustService,
} from "../../packages/validation/src/trusted-list/trusted-list.ts"

const run = promisify(execFile)
const LIBRARIES = resolve(import.meta.dirname, "../../.tools/java-oracles/lib/*")
const JUDGE = resolve(import.meta.dirname, "trusted-list/DssQualification.java")
const NOW = new Date()
const NEXT_YEAR = new Date(NOW.getTime() + 365 * 86_400_000)

/** Where EU DSS says more, and why we do not. */
const STRICTER: Readonly<Record<string, string>> = {
  "a seal of a service for signatures alone":
    "PRO-4.4.4-18: the service is not one for seals; DSS lets QcCompliance stand for signatures",
  "a closed list, after its closing": "5.3.15: it says nothing of later times",
  "a critical extension that nobody knows": "5.5.9: what must not be passed over is not",
  "the policy QCP+ alone, used after July 2016": "table 7 knows the statement and the list alone",
}

let folder: string
let operator: Holder
let root: Holder
let authority: Holder
let namesake: Holder

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paraph-qualification-"))
  operator = await newRoot({ name: "Operator", kind: "RSA" })
  root = await newRoot({ name: "Root" })
  authority = await newHolder(root, { name: "Authority", basicConstraints: { ca: true } })
  namesake = await newRoot({ name: "Authority" })
  for (const [name, { certificate }] of Object.entries({ operator, root, authority }))
    writeFileSync(join(folder, `${name}.der`), certificate.der)
})

afterAll(() => rmSync(folder, { recursive: true }))

type Case = {
  readonly sentence: string
  readonly signer: SignerOrder
  readonly listings: readonly Listing[]
  readonly at: string
}

const CHANGE = "2016-07-01T00:00:00.000Z"
const before = (order: Partial<ServicePeriod> = {}) =>
  periodOf({
    status: "undersupervision",
    from: "2010-01-01T00:00:00.000Z",
    until: CHANGE,
    uses: [],
    ...order,
  })

function ofOld(
  sentence: string,
  at: string,
  signer: SignerOrder = {},
  period = before(),
  after = periodOf(),
): Case {
  const notBefore = new Date("2015-01-01T00:00:00Z")
  const listings = [{ periods: [{ ...after, from: CHANGE }, period] }]
  return { sentence, at, listings, signer: { notBefore, types: [], ...signer } }
}

const silent = { isQualified: false, isInDevice: false } as const
const QCP_PLUS = { ...silent, certificatePolicies: ["0.4.0.1456.1.1"] }
const QCP = { ...silent, certificatePolicies: ["0.4.0.1456.1.2"] }

function grid(
  at: number,
  uses: readonly CertificateUse[],
  types: readonly CertificateUse[],
  qualifiers: readonly Qualifier[],
): Case {
  return {
    sentence: `a service for ${uses} says ${qualifiers} of a certificate for ${types.join() || "nothing"}`,
    signer: { types, isQualified: at % 3 > 0, isInDevice: at % 2 === 0 },
    listings: [{ periods: [periodOf({ uses, qualifiers })] }],
    at: "2025-06-01T00:00:00Z",
  }
}

const CASES: readonly Case[] = [
  // Whether a list has expired, EU DSS asks the clock of the machine.
  ...EU.filter(([, sentence]) => sentence !== "a list past its next update").map(
    ([, sentence, signer, listings]) => ({
      ...{ sentence, signer, listings },
      at: "2025-06-01T00:00:00Z",
    }),
  ),
  ofOld("an old certificate, used under the Directive", "2016-01-01T00:00:00Z"),
  ofOld("an old certificate, used under the Regulation", "2017-01-01T00:00:00Z"),
  ofOld(
    "an old certificate of a service withdrawn since",
    "2017-01-01T00:00:00Z",
    {},
    before(),
    periodOf({ status: "withdrawn" }),
  ),
  ofOld("the policy QCP+ alone, used before July 2016", "2016-01-01T00:00:00Z", QCP_PLUS),
  ofOld("the policy QCP+ alone, used after July 2016", "2017-01-01T00:00:00Z", QCP_PLUS),
  ofOld("the policy QCP alone, used before July 2016", "2016-01-01T00:00:00Z", QCP),
  ofOld("an accredited service", "2016-01-01T00:00:00Z", {}, before({ status: "accredited" })),
  ofOld("a service that had ceased", "2016-01-01T00:00:00Z", {}, before({ status: "supervisionceased" })),
  ...QUALIFIERS.flatMap((qualifier, at) => [
    grid(at, ["esign"], ["esign"], [qualifier]),
    grid(at, ["esign", "eseal"], [], [qualifier]),
    grid(at, ["esign", "eseal"], ["eseal"], [qualifier]),
    grid(
      at,
      ["esign", "eseal"],
      ["esign"],
      [qualifier, QUALIFIERS[(at + 3) % QUALIFIERS.length] ?? qualifier],
    ),
  ]),
]

it("says what EU DSS says, or less for a reason that is written down", { timeout: 300_000 }, async () => {
  const ours: string[] = []
  for (const [at, one] of CASES.entries()) ours.push(await prepare(`${at}`, one))
  writeFileSync(join(folder, "cases.txt"), CASES.map(({ at }, name) => `${name} ${at}`).join("\n"))
  const { stdout } = await run("java", ["-cp", LIBRARIES, JUDGE, folder], { maxBuffer: 10_000_000 })
  const theirs = stdout
    .trim()
    .split("\n")
    .map((line) => qualityOf(line.split(" ").slice(1)))
  const differing = CASES.flatMap(({ sentence }, at) =>
    ours[at] === theirs[at] ? [] : [`${sentence}: ${ours[at]}, not ${theirs[at]}`],
  )
  expect(theirs).toHaveLength(CASES.length)
  expect(differing.map((one) => one.split(":")[0]).sort()).toEqual(Object.keys(STRICTER).sort())
  const rank = ["SES", "AES", "QES"]
  for (const [at, quality] of ours.entries())
    expect(rank.indexOf(quality)).toBeLessThanOrEqual(rank.indexOf(theirs[at] ?? ""))
  // A comparison in which one answer is missing compares nothing.
  for (const quality of rank) expect(theirs.filter((one) => one === quality).length).toBeGreaterThan(10)
})

async function prepare(name: string, { signer, listings, at }: Case): Promise<string> {
  const { certificate } = await newSigner(authority, signer)
  const services = listings.map(({ of = "authority", periods, qualifiers = [], ...order }) =>
    serviceOf({ authority, root, namesake }[of], periods ?? [periodOf({ qualifiers })], order),
  )
  const isClosed = services.some(({ listExpires }) => listExpires === null)
  const list = writeList({
    territory: "AT",
    version: 5,
    issued: new Date("2026-05-01T00:00:00Z"),
    nextUpdate: isClosed ? null : NEXT_YEAR,
    providers: [{ name: "Provider", services: services.map(asOrder) }],
  })
  writeFileSync(join(folder, `${name}.xml`), signList(list, { signer: operator, isOldReference: true }))
  writeFileSync(join(folder, `${name}.der`), certificate.der)
  const path = [certificate, authority.certificate, root.certificate]
  return qualify({ path, services, anchors: [], at: new Date(at), now: new Date("2026-06-01T00:00:00Z") })
    .quality
}

const WORDS = { esign: "ForeSignatures", eseal: "ForeSeals", web: "ForWebSiteAuthentication" } as const

function asOrder({ identities, periods }: TrustService): ServiceOrder {
  const all = periods.map(({ type, status, from, uses, qualifications, isUnderstood }) => ({
    ...{ type, status, from: new Date(from), uses: uses.map((use) => WORDS[use]) },
    qualifications: qualifications.map(({ qualifiers }) => ({
      qualifiers,
      criteria: CRITERIA.list("none", CRITERIA.policies("9.9.9")),
    })),
    extensions: isUnderstood ? [] : [extension('<unknown xmlns="urn:unknown"/>')],
  }))
  const [newest = { type: "", from: NOW }, ...history] = all
  const certificates = identities.map(({ certificate }) => new Uint8Array(Buffer.from(certificate, "base64")))
  return { ...newest, name: "Service", certificates, history }
}

/** From EU DSS's words for the certificate at issuance and at the time; the device counts at the time. */
function qualityOf([issued = "", used = ""]: readonly string[]): string {
  const isSame = issued.replace("_QSCD", "") === used.replace("_QSCD", "")
  if (!isSame || !/^QCERT_FOR_(ESIG|ESEAL)(_QSCD)?$/.test(used)) return "SES"
  return used.endsWith("_QSCD") ? "QES" : "AES"
}
