import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { soundMail } from "../service/mime.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { sealersOf } from "../service/sealed.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

describe("the signature protocol, when something breaks", { timeout: 300_000 }, () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false, env: { SEAL_WAIT_SECONDS: "100" } })
  }, 300_000)
  afterAll(() => service?.close())

  const jobsOf = (id: string) =>
    service.sql(
      `select string_agg(state::text, ' ') from jobs.job where name = 'seal-protocol' and data->>'requestId' = '${id}'`,
    )

  it.each(["protocol-sealed", "protocol-kept"])(
    "a worker is killed at %s: the next one makes it, once, and whoever waits gets it",
    async (point) => {
      const { id } = await sentTo(service.caller, "v3", [newAddress("ida")])
      const path = `/v3/signature-requests/${id}/report`
      const asked = service.caller.get(path)
      const doomed = await service.startWorker({ FAULT_POINT: point })
      expect(await doomed.died).toBe("SIGKILL")
      const kept = `select count(*) from request_protocol where request_id = '${id}' and pdf is not null`
      expect(await service.sql(kept)).toBe(point === "protocol-kept" ? "1" : "0")
      const heir = await service.startWorker()
      try {
        const { status, bytes } = await asked
        expect(status).toBe(200)
        expect(sealersOf(bytes)).toHaveLength(1)
        await until("nobody has it in hand any more", async () => (await jobsOf(id)) === "completed", 240_000)
        expect(await service.sql(kept)).toBe("1")
      } finally {
        await heir.kill()
      }
    },
  )

  it("nobody can seal it: the mail with it waits for a day, and then goes without it and says so", async () => {
    const [email, copy] = [newAddress("max"), newAddress("copy")]
    const worker = await service.startWorker()
    try {
      const { id } = await sentTo(service.caller, "v2", [email], {
        attach_on_success: ["SIGNATURE_PROTOCOL"],
        cc_email_addresses: [copy],
      })
      // Ordered, of somebody who never comes to make it.
      await service.sql(
        `insert into request_protocol (request_id, business_id, language, ordered_at)
           select id, business_id, 'en', now() + interval '10 days' from signature_request where id = '${id}'`,
      )
      await (await openSession(service.url, await linkMailedTo(email))).press("Max Frisch")
      const waiting = `select count(*) from jobs.job where name = 'send-mail' and data->>'requestId' = '${id}' and state = 'retry'`
      await until("the mails wait", async () => (await service.sql(waiting)) === "2", 240_000)
      service.moveClock(25 * 3_600_000)
      const [mail] = await mailsComeTo(copy)
      if (mail === undefined) throw new Error("Nobody was told.")
      const { text, attachments } = await soundMail(mail, "en")
      expect(attachments).toEqual([])
      expect(text?.replaceAll(/\s+/g, " ")).toContain(
        "The signature protocol could not be attached to this e-mail. Acme AG can get it from the service and give you a copy.",
      )
    } finally {
      service.moveClock(0)
      await worker.kill()
    }
  })
})
