import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Answer, call } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, type Signer } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { faultsOf, isGood, startLoad } from "./load.ts"
import { type OwnStack, startOwnStack } from "./own-stack.ts"

const content = contractPdf().toString("base64")

describe("parts of the service are down for a while", () => {
  let stack: OwnStack
  let service: Service
  let api: ServerProcess
  let worker: ServerProcess
  beforeAll(async () => {
    stack = await startOwnStack()
    service = await startService({ stack })
    ;({ api, worker } = service)
  })
  // One that dies fails its own test, and not those after it.
  beforeEach(async () => {
    if (!isRunning(api)) api = await service.startApi()
    if (!isRunning(worker)) worker = await service.startWorker()
  })
  afterAll(async () => {
    await service?.close()
    await stack?.close()
  })

  const upload = () =>
    service.caller.post("/v2/documents", { title: "Contract", content, content_type: "application/pdf" })
  const create = (signer: string) =>
    service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content,
      signatures: [{ account_email: signer }],
    })
  const read = (id: string) => service.caller.get(`/v2/signature-requests/${id}`)
  const readiness = () => call(service.url, "GET", "/management/health/readiness", undefined, {})
  const newAddress = () => `signer-${randomUUID()}@example.org`
  const dead = () => Object.entries({ api, worker }).flatMap(([name, p]) => (isRunning(p) ? [] : name))

  /** Somebody who has read the document and stands before the button. */
  const begin = async (): Promise<{ id: string; documentId: string; signer: Signer }> => {
    const address = newAddress()
    const { body } = await create(address)
    const signer = await openSession(service.url, await stack.linkMailedTo(address))
    return { id: body.id, documentId: body.document_id, signer }
  }
  const expectOneSignature = async (id: string) => {
    await until("the request is SIGNED", async () => (await read(id)).body.status_overall === "SIGNED")
    const { body } = await read(id)
    const pdf = await service.caller.get(`/v2/documents/${body.document_id}/content`)
    expect((await judge(pdf.bytes)).pdfsig).toEqual(["Signature is Valid."])
    const marks = `select count(*) from evidence where request_id = '${id}' and type = 'mark.made'`
    expect(await service.sql(marks)).toBe("1")
  }
  const jobFailed = (task: string, id: string) =>
    until(`${task} of ${id} fails once`, () =>
      worker
        .log()
        .split("\n")
        .some((line) => [`"${task}"`, id, '"outcome":"failed"'].every((part) => line.includes(part))),
    )

  it.each(["SIGINT", "SIGKILL"] as const)(
    "PostgreSQL goes by %s and comes back under load: nobody dies, nothing acknowledged is lost",
    async (signal) => {
      const { id, documentId, signer } = await begin()
      const acknowledged: string[] = []
      const load = startLoad(
        {
          create: async () => kept(await create(newAddress()), acknowledged),
          read: () => read(acknowledged.at(-1) ?? id),
          upload,
          login: () => logIn(service),
          view: signer.view,
          content: () => service.caller.get(`/v2/documents/${documentId}/content`),
        },
        8,
      )
      const later = (what: string, wanted: () => boolean) => until(what, () => wanted() || dead().length > 0)
      const served = (since: number) => () => load.answers.slice(since).filter(isGood).length >= 40
      try {
        // Twice, because it matters what each connection is doing at that moment.
        for (let outage = 0; outage < 2; outage += 1) {
          await later("the load runs", served(load.answers.length))
          await stack.take("postgres", signal)
          const before = load.answers.length
          await later("the outage is felt", () => load.answers.length >= before + 24)
          await stack.restore()
        }
        await later("the load runs again", served(load.answers.length))
      } finally {
        await stack.restore()
        await load.stop()
      }
      expect({ dead: dead(), faults: summary(faultsOf(load.answers)) }).toEqual({ dead: [], faults: [] })
      expect(load.answers.filter((a) => a.status === 503).length).toBeGreaterThan(0)
      // A client should hear soon that it is to come back, not hang on a dead connection.
      expect(Math.max(...load.answers.map((a) => a.ms))).toBeLessThan(20_000)

      for (const one of acknowledged) expect((await read(one)).status).toBe(200)
      await until("everyone is invited", async () => {
        const list = acknowledged.map((one) => `'${one}'`).join(",")
        const invited = `select count(distinct request_id) from evidence where type = 'signature.invited'`
        return (await service.sql(`${invited} and request_id in (${list})`)) === String(acknowledged.length)
      })
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await expectOneSignature(id)
    },
  )

  it("S3 is stopped: uploads and downloads answer 503, and a signature waits until it is back", async () => {
    const { id, documentId, signer } = await begin()
    await stack.take("s3", "SIGTERM")
    try {
      expectComeBackLater(await upload())
      expectComeBackLater(await create(newAddress()))
      expectComeBackLater(await service.caller.get(`/v2/documents/${documentId}/content`))
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await jobFailed("sign-document", id)
      expect((await signer.view()).body.screen).toBe("working")
      expect((await readiness()).body.status).toBe("DOWN")
    } finally {
      await stack.restore()
    }
    await expectOneSignature(id)
    expect((await readiness()).body.status).toBe("UP")
    expect(dead()).toEqual([])
  })

  it("S3 hangs: uploads answer 503 within 40 seconds, and readiness says so within 5", async () => {
    const { id, signer } = await begin()
    stack.signal("s3", "SIGSTOP")
    try {
      const slow = within(40_000, upload())
      const pressed = signer.press("Ada Lovelace")
      const health = await within(5_000, readiness())
      expect([health.status, health.body.status]).toEqual([503, "DOWN"])
      expectComeBackLater(await slow)
      expect((await pressed).status).toBe(202)
    } finally {
      stack.signal("s3", "SIGCONT")
    }
    expect((await upload()).status).toBe(200)
    await expectOneSignature(id)
    expect((await readiness()).body.status).toBe("UP")
  })

  it("SMTP is away when the request is created: the mail comes when it is back", async () => {
    const address = newAddress()
    await stack.take("mailbox", "SIGTERM")
    try {
      const { status, body } = await create(address)
      expect(status).toBe(200)
      await jobFailed("invite-signer", body.id)
    } finally {
      await stack.restore()
    }
    expect(await stack.linkMailedTo(address)).toContain(`${service.url}/sign/`)
  })
})

function kept(answer: Answer, acknowledged: string[]): Answer {
  if (answer.status === 200) acknowledged.push(answer.body.id)
  return answer
}

const logIn = ({ url, username, demoKey }: Service) =>
  call(url, "POST", "/v2/access/login", { username, "api-key": demoKey }, {})

function expectComeBackLater({ status, headers }: Answer): void {
  expect(status).toBe(503)
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
}

/** Each kind of fault once, with how often it was seen. */
function summary(faults: ReturnType<typeof faultsOf>): readonly string[] {
  const kinds = Map.groupBy(faults, ({ what, status }) => `${what} answered ${status}`)
  return [...kinds].map(([kind, all]) => `${kind}, ${all.length} times: ${all[0]?.detail}`)
}

function isRunning({ pid }: ServerProcess): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
