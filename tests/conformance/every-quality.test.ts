// What each quality and each law leaves behind: a finished document of demo and of production, judged by EU DSS with the sandbox's
// roots as its only anchors, offline. The level is the one that is promised, and the name in the certificate is the signer's.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { qualifiedUnder } from "@paraph/pki/qc-statements"
import { readSignedData } from "@paraph/pki/signed-data"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { rootFiles } from "../service/judges.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { type Kind, type Qualified, signQualified, startQualified } from "../service/qualified.ts"
import { passkeyHolder, signAdvanced } from "../service/release.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { agedHolder, newVoucher } from "../service/vouching.ts"
import { dss } from "./judges.ts"
import { dssFaults } from "./level-faults.ts"

const NAME = "Ada Lovelace"
const LAWS = ["EIDAS", "ZERTES"] as const
type Law = (typeof LAWS)[number]
type Row = {
  readonly kind: Kind
  readonly quality: "SES" | "AES" | "AES_MINIMAL" | "QES"
  readonly law: Law | null
  /** Whether the signer goes to a provider: always for a production QES. */
  readonly atProvider: boolean
  readonly signed: string
}

const own = (kind: Kind): readonly Row[] =>
  (["SES", "AES", "AES_MINIMAL"] as const).flatMap((quality) =>
    [...(quality === "AES_MINIMAL" ? [] : [null]), ...LAWS].map((law) => ({
      ...{ kind, quality, law, atProvider: false },
      signed: kind === "demo" ? "DEMO" : quality.slice(0, 3),
    })),
  )
const ROWS: readonly Row[] = [
  ...own("demo"),
  // Without a demo provider, a key of ours plays its part.
  ...LAWS.map((law): Row => ({ kind: "demo", quality: "QES", law, atProvider: false, signed: "DEMO" })),
  ...own("production"),
  ...(["AES_MINIMAL", "QES"] as const).flatMap((quality) =>
    LAWS.map((law): Row => ({ kind: "production", quality, law, atProvider: true, signed: "QES" })),
  ),
]

let folder = ""
let world: Qualified
let apis: Readonly<Record<Kind, Api>>
let voucher: Awaited<ReturnType<typeof newVoucher>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-qualities-"))
  const env = { PRODUCTION_QUALITIES: "SES,AES,AES_MINIMAL,QES" }
  world = await startQualified({ kind: "production", env })
  const { url, username, caller, productionKey } = world.service
  apis = { demo: caller, production: await createApi(url, username, productionKey) }
  voucher = await newVoucher(world.service)
}, 300_000)
afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true })
})

/** Signed by one person as the row says; the finished document in a file. */
async function finished({ kind, quality, law, atProvider, signed }: Row): Promise<Json> {
  const [email, api, { service }] = [newAddress("quality"), apis[kind], world]
  const terms = { quality, ...(law !== null && { legislation: law }) }
  const needsKey = quality !== "SES" && !atProvider
  const isReal = kind === "production"
  const newHolder = isReal ? agedHolder : passkeyHolder
  const holder = needsKey ? await newHolder(service, email, NAME) : null
  const sent = await sentTo(api, "v2", [email], { ...terms, write_access: isReal ? [voucher.email] : [] })
  if (holder !== null && isReal) await voucher.vouchFor(sent, "Ada", "Lovelace")
  const { id } = sent
  if (holder !== null) await signAdvanced(service, email, holder)
  else if (atProvider && law !== null) await signQualified(world, email, world.of(law).name)
  else await (await openSession(service.url, await linkMailedTo(email))).press(NAME)
  const request = await until(
    `it is signed: ${kind} ${quality} ${law}`,
    async () => {
      const { body } = await api.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    },
    120_000,
  )
  expect(request.signatures[0]).toMatchObject({ signed_quality: signed, signed_legislation: law })
  const { bytes } = await api.get(`/v2/documents/${request.document_id}/content`)
  const file = join(folder, `${kind}-${quality}-${law}-${atProvider ? "provider" : "own"}.pdf`)
  await writeFile(file, bytes)
  return { file, bytes, field: `Paraph-${request.signatures[0].sid}` }
}

it("[SR-07] is TOTAL-PASSED at B-LTA for every quality and law, with the signer's name in the certificate", async () => {
  const made = []
  for (const row of ROWS) made.push({ row, ...(await finished(row)) })
  const { TRUST_ANCHORS_FILE = "" } = world.service.env
  const anchors = [...new Set([...rootFiles(), ...world.roots, TRUST_ANCHORS_FILE])]
  const verdicts = await dss(
    { anchors },
    made.map(({ file }) => file),
  )
  for (const { row, file, bytes, field } of made) {
    const what = `${row.kind} ${row.quality} ${row.law} ${row.atProvider}`
    expect(dssFaults({ level: "B-LTA", fields: [field] }, verdicts.get(file)), what).toEqual([])
    const certificate = signerOf(bytes)
    if (row.quality !== "SES") expect(certificate.subjectName, what).toBe(NAME)
    // Called QES when the certificate says so, and never otherwise.
    expect(qualifiedUnder(certificate), what).toBe(row.signed === "QES" ? row.law : null)
  }
  expect(made).toHaveLength(ROWS.length)
}, 900_000)

function signerOf(pdf: Buffer) {
  const [first] = readSignatures(openPdf(bytesSource(pdf))).filter(({ type }) => type === "approval")
  if (first === undefined) throw new Error("Nobody has signed.")
  const all = readSignedData(first.contents ?? new Uint8Array()).certificates.map((der) =>
    readCertificate(der),
  )
  const nameOf = (name: Uint8Array) => Buffer.from(name).toString("hex")
  const issuers = all.map(({ issuer }) => nameOf(issuer))
  const leaf = all.find(({ subject }) => !issuers.includes(nameOf(subject)))
  if (leaf === undefined) throw new Error("There is no certificate of a signer.")
  return leaf
}
