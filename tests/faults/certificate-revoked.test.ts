import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { judge } from "../service/judges.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { intentsNoted, noteIntents } from "../service/noted-intents.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

describe("the service's own certificate is revoked while a signature is being made", {
  timeout: 300_000,
}, () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
    await noteIntents(service)
  })
  afterAll(() => service?.close())

  const serialOfToday = () =>
    service.sql(`select encode(i.serial, 'hex') from issued_certificate i
      join authority a on a.certificate = i.certificate
      where a.kind = 'demo' and a.role = 'service' order by a.generation desc limit 1`)

  /** Presses, has the worker die at that point, revokes, and has another one go on. */
  async function revokedAt(point: string) {
    const who = newAddress(point)
    const first = await service.startWorker({ FAULT_POINT: point })
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content: contractPdf().toString("base64"),
      signatures: [{ account_email: who }],
    })
    const session = await openSession(service.url, await linkMailedTo(who))
    expect((await session.press("Ada Lovelace")).status).toBe(202)
    expect(await first.died).toBe("SIGKILL")
    // What is revoked within the second of its time-stamp is revoked before it, to whoever reads a list.
    const died = Math.floor(Date.now() / 1000)
    await until("the second is over", async () => Math.floor(Date.now() / 1000) > died)
    const serial = await serialOfToday()
    const told = await service.paraph("ca", "revoke", "--kind", "demo", "--serial", serial)
    expect(told).toMatchObject({ revoked: serial })
    const second = await service.startWorker()
    const read = async () => (await service.caller.get(`/v2/signature-requests/${body.id}`)).body
    await until("it is SIGNED", async () => (await read()).status_overall === "SIGNED", 240_000)
    await second.stop()
    expect(await intentsNoted(service, body.id)).toBe("1|1")
    const marks = `select count(*) from evidence where request_id = '${body.id}' and type = 'mark.made'`
    expect(await service.sql(marks)).toBe("1")
    const { bytes } = await service.caller.get(`/v2/documents/${(await read()).document_id}/content`)
    return judge(bytes)
  }
  const nameOf = (generation: number) => `Paraph tests demo, no legal effect, Signatures ${generation}`

  it("before its value is stamped: the next certificate makes another, and nothing by the first is left", async () => {
    const verdict = await revokedAt("value-kept")
    expect(verdict.signers).toEqual([nameOf(2)])
    expect(verdict).toMatchObject({
      pdfsig: ["Signature is Valid."],
      pyhanko: [{ bottomLine: true, trusted: true }],
      documentTimestamps: 1,
    })
  })

  it("after its value was stamped: the time-stamp proves that it is older, and it stays", async () => {
    const verdict = await revokedAt("stamp-kept")
    expect(verdict.signers).toEqual([nameOf(2)])
    expect(verdict).toMatchObject({ pdfsig: ["Signature is Valid."], documentTimestamps: 1 })
  })
})
