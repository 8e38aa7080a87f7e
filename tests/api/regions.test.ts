import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto"
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3"
import { createOwnBucket, type OwnBucket } from "@paraph/store/testing/own-bucket"
import { decodeJwt, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, createApi, VERSIONS } from "../service/api.ts"
import { askWith, logIn } from "../service/login.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

/**
 * A region is a deployment of its own (ADR 0025): Switzerland and Germany side by side, each with its database, its
 * place for documents, its keys and its address, and nothing in common but the machine of this test.
 */
describe("two regions", () => {
  let buckets: readonly [OwnBucket, OwnBucket]
  let ch: Service
  let de: Service
  beforeAll(async () => {
    buckets = await Promise.all([createOwnBucket(), createOwnBucket()])
    ;[ch, de] = await Promise.all([startRegion("ch", buckets[0]), startRegion("de", buckets[1])])
  })
  afterAll(async () => {
    await Promise.all([ch?.close(), de?.close()])
    await Promise.all(buckets?.map((bucket) => bucket.close()) ?? [])
  })

  it("[AUTH-12] a key of the one is unknown in the other, also where a user there has the same name", async () => {
    expect(ch.username).toBe(de.username)
    for (const [home, abroad] of [
      [ch, de],
      [de, ch],
    ] as const)
      for (const v of VERSIONS)
        for (const key of [home.demoKey, home.productionKey]) {
          expect((await logIn(home.url, v, home.username, key)).status).toBe(200)
          const { status, body } = await logIn(abroad.url, v, home.username, key)
          expect([v, status, body.key]).toEqual([v, 401, "error.auth.credentials_invalid"])
        }
  })

  it("[AUTH-12] a token of the one is none in the other, also where the two were given the same key for tokens by mistake", async () => {
    for (const v of VERSIONS) {
      const token = (await logIn(ch.url, v, ch.username, ch.demoKey)).bytes.toString()
      expect((await askWith(ch.url, v, token)).status).toBe(200)
      const keyOfDe = createPrivateKey(de.env.TOKEN_KEY ?? "")
      const signedThere = await new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" })
        .sign(keyOfDe)
      const addressedThere = await new SignJWT({ ...decodeJwt(token), iss: de.url, aud: de.url })
        .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" })
        .sign(keyOfDe)
      for (const foreign of [token, signedThere, addressedThere]) {
        const { status, body } = await askWith(de.url, v, foreign)
        expect([v, status, body.key]).toEqual([v, 401, "error.auth.token_invalid"])
      }
    }
  })

  it("[REG-01] the same paths are there in both, and each names its own address", async () => {
    for (const v of VERSIONS) {
      const [there, here] = await Promise.all(
        [ch, de].map(async ({ url }) => (await call(url, "GET", `/${v}/api-docs`, undefined, {})).body),
      )
      const paths = Object.keys(there.paths)
      expect(paths.length).toBeGreaterThan(10)
      expect(Object.keys(here.paths)).toEqual(paths)
      const address = ({ url }: Service) => new URL(url).host
      expect(JSON.stringify(there)).not.toContain(address(de))
      expect(JSON.stringify(here)).not.toContain(address(ch))
    }
  })

  it("[REG-01] what is stored in the one is in no table and no object of the other, and cannot be read there", async () => {
    const canary = `canary${randomUUID().replaceAll("-", "")}`
    const content = contractPdf(canary).toString("base64")
    const [inCh, inDe] = await Promise.all([ch, de].map((s) => createApi(s.url, s.username, s.demoKey)))
    const made = await inCh?.post("/v2/signature-requests", {
      title: canary,
      message: canary,
      content,
      signatures: [{ account_email: `${canary}@example.org` }],
    })
    expect(made?.status).toBe(200)
    const { id, document_id: documentId } = made?.body ?? {}
    for (const path of [`/v2/documents/${documentId}`, `/v2/signature-requests/${id}`]) {
      expect((await inCh?.get(path))?.status).toBe(200)
      expect((await inDe?.get(path))?.status).toBe(404)
    }
    // That it is found at home says that it would be found abroad.
    expect(await rowsWith(ch, [canary, documentId])).not.toEqual([])
    expect(await rowsWith(de, [canary, documentId])).toEqual([])
    const [objectsOfCh, objectsOfDe] = await Promise.all(buckets.map(objectsIn))
    expect(objectsOfCh?.length).toBeGreaterThan(0)
    expect(objectsOfDe).toEqual([])
    for (const object of objectsOfCh ?? []) expect(object.includes(canary)).toBe(false)
  })
})

function startRegion(region: "ch" | "de", { settings: { bucket } }: OwnBucket): Promise<Service> {
  const bytes = () => randomBytes(32).toString("hex")
  const tokenKey = generateKeyPairSync("ed25519").privateKey
  return startService({
    worker: false,
    env: {
      REGION: region,
      S3_BUCKET: bucket,
      KEK: bytes(),
      KEY_PEPPER: bytes(),
      TOKEN_KEY: tokenKey.export({ format: "pem", type: "pkcs8" }).toString(),
    },
  })
}

async function objectsIn({
  administrator,
  settings: { bucket: Bucket },
}: OwnBucket): Promise<readonly Buffer[]> {
  const { Contents = [] } = await administrator.send(new ListObjectsV2Command({ Bucket }))
  return Promise.all(
    Contents.map(async ({ Key }) => {
      const { Body } = await administrator.send(new GetObjectCommand({ Bucket, Key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    }),
  )
}

/** Every table of the database, queue included, as text. */
async function rowsWith(service: Service, words: readonly string[]): Promise<readonly string[]> {
  const tables = (
    await service.sql(`select format('%I.%I', schemaname, relname) from pg_stat_user_tables`)
  ).split("\n")
  const pattern = words.join("|")
  const counts = tables.map((table) => `select '${table}' from ${table} as t where t::text ~ '${pattern}'`)
  const found = await service.sql(`select distinct * from (${counts.join(" union all ")}) as found`)
  return found === "" ? [] : found.split("\n")
}
