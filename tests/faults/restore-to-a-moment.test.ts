import { createHash } from "node:crypto"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadConfig } from "../../apps/server/src/config.ts"
import { openBucket } from "../../apps/server/src/document-parts.ts"
import { down, up } from "../../scripts/stack/stack.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { type Api, createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { psql, type Service, startService, typed } from "../service/service.ts"
import { freePort, useStack } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { type Archive, startArchive } from "./rig/archive.ts"
import { createRandom } from "./rig/random.ts"

/** Times are the database's own, taken when the answer was there. */
type Story = {
  readonly id: string
  readonly documentId: string
  readonly begunAt: string
  readonly createdAt: string
  signedAt?: string
  sha256?: string
  deletedAt?: string
}

const STORIES = 24
/** Drawn by a seed, which is in the title: `PARAPH_RESTORES=30 PARAPH_SEED=7`. */
const RESTORES = Number(process.env.PARAPH_RESTORES ?? 6)
const SEED = Number(process.env.PARAPH_SEED ?? Date.now() % 100_000)

// Security, F19 and T25: a copy and the archived log, to any moment; the bucket is as it is now, and so are the keys.
describe("a database that is set back to a moment", { timeout: 300_000 }, () => {
  let parent: string
  let dir: string
  let service: Service
  let archive: Archive
  const stories: Story[] = []
  const bounds: string[] = []

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "paraph-cluster-"))
    dir = join(parent, "stack")
    await mkdir(dir)
    const stack = await up(dir)
    useStack(dir)
    await makeTemplate(stack)
    const { port, dataDir = "", process } = stack.services.postgres
    archive = await startArchive(dir, { name: "a", port, dataDir, process })
    service = await startService({ stack: { dir, env: stack.env } })
    bounds.push(await archive.now())
    for (let n = 0; n < STORIES; n += 1) {
      const story = await toldStory(n)
      stories.push(story)
      // Of those before, so that some are there at one moment and not at the next.
      const old = stories[n - 3]
      if (n % 3 === 0 && old) {
        expect((await service.caller.delete(`/v2/signature-requests/${old.id}`)).status).toBeLessThan(300)
        old.deletedAt = await archive.now()
      }
    }
    bounds.push(await archive.now())
    await marksAreThere()
    await archive.complete()
    await Promise.all([service.api.kill(), service.worker.kill()])
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await archive?.close()
    await down(dir, { purge: true })
    await rm(parent, { recursive: true, force: true })
  })

  async function toldStory(n: number): Promise<Story> {
    const email = newAddress("signer")
    const begunAt = await archive.now()
    const { id, document_id: documentId } = await sentTo(service.caller, "v2", [email])
    const story: Story = { id, documentId, begunAt, createdAt: await archive.now() }
    if (n % 2 === 1) return story
    await (await openSession(service.url, await linkMailedTo(email))).press("Ada Lovelace")
    const content = await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      if (body.status_overall !== "SIGNED") return false
      return service.caller.get(`/v2/documents/${body.document_id}/content`)
    })
    return { ...story, sha256: sha256Of(content.bytes), signedAt: await archive.now() }
  }

  /** As a worker leaves them, within a sweep of the deletion. */
  async function marksAreThere(): Promise<void> {
    const bucket = openBucket(loadConfig(service.env))
    const deleted = stories.filter(({ deletedAt }) => deletedAt).map(({ id }) => id)
    await until("each deletion is marked", async () => {
      const marked = new Set<string>()
      for await (const { id } of bucket.listErased()) marked.add(id)
      return deleted.every((id) => marked.has(id))
    })
    bucket.close()
  }

  const random = createRandom(SEED)
  it.each(Array.from({ length: RESTORES }, () => random.next()))(
    `[R41] [R38] has all of that moment, and nothing that was erased since (%f of the time, seed ${SEED})`,
    async (share) => {
      const [first = 0, last = 0] = bounds.map((text) => Date.parse(text))
      // As the server writes it, so that it can be compared.
      const at = new Date(first + share * (last - first)).toISOString()
      const moment = at.replace("T", " ").replace("Z", "+00")
      const begun = performance.now()
      const restored = await archive.restore(moment, await freePort())
      try {
        const port = new URL(service.env.DATABASE_URL ?? "").port
        const there = (url = "") => url.replace(`:${port}/`, `:${restored.port}/`)
        const apiPort = await freePort()
        const env = {
          ...service.env,
          DATABASE_URL: there(service.env.DATABASE_URL),
          DATABASE_OWNER_URL: there(service.env.DATABASE_OWNER_URL),
          PORT: String(apiPort),
          PUBLIC_URL: `http://localhost:${apiPort}`,
        }
        // Typed before anybody is let in, as the guide says.
        const again = JSON.parse(await typed(env, ["documents", "erase-again", "--json"]))
        expect(again).toMatchObject({ held: [] })
        const [api, worker] = [await service.startApi(env), await service.startWorker(env)]
        const caller = await createApi(env.PUBLIC_URL, service.username, service.demoKey)
        expect(performance.now() - begun, "it answers again, ms").toBeLessThan(120_000)
        await isAsThen(caller, moment)
        const erased = stories.filter(({ deletedAt }) => deletedAt).map(({ id }) => id)
        const keys = `select count(*) from story_key where story_id = any ('{${erased.join()}}')`
        expect(await psql(env.DATABASE_OWNER_URL, keys)).toBe("0")
        await until("nothing is lost", async () => {
          const said = typed(env, ["documents", "audit", "--json"])
          const found = JSON.parse(await said.catch((error: { stdout: string }) => error.stdout))
          return found.lost === 0 && found["wrong-size"] === 0
        })
        await typed(env, ["log", "check"])
        expect((await sentTo(caller, "v2", [newAddress("new")])).id).toBeDefined()
        await Promise.all([api.kill(), worker.kill()])
      } finally {
        await restored.close()
      }
    },
  )

  async function isAsThen(caller: Api, moment: string): Promise<void> {
    for (const { id, documentId, begunAt, createdAt, signedAt, sha256, deletedAt } of stories) {
      const { status, body } = await caller.get(`/v2/signature-requests/${id}`)
      // Under way in that moment, and acknowledged after it: either is right.
      if (deletedAt === undefined && begunAt <= moment && createdAt > moment) continue
      if (deletedAt !== undefined || createdAt > moment) {
        expect(status, id).toBe(404)
        await until("its document is gone", async () => {
          return (await caller.get(`/v2/documents/${documentId}`)).status === 404
        })
        continue
      }
      expect(status, id).toBe(200)
      if (signedAt === undefined || signedAt > moment) continue
      expect(body.status_overall).toBe("SIGNED")
      const { bytes } = await caller.get(`/v2/documents/${body.document_id}/content`)
      expect(sha256Of(bytes)).toBe(sha256)
    }
  }
})

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
