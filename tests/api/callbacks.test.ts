import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, createApi, type Json, VERSIONS, type Version } from "../service/api.ts"
import { linkMailedTo, mailsTo } from "../service/mailbox.ts"
import { type Received, type Receiver, type Reply, startReceiver } from "../service/receiver.ts"
import { sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"

const HOUR_MS = 3_600_000
const OK: Reply = { status: 204 }

describe("callbacks", () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-callbacks-"))
  /** What the receiver answers at a path, one after the other; 204 when nothing is left. */
  const scripts = new Map<string, Reply[]>()
  let service: Service
  let api: Api
  let receiver: Receiver
  let asking: Receiver
  let onSuccess: (call: Received) => Promise<void> = async () => undefined

  beforeAll(async () => {
    receiver = await startReceiver(async (call) => {
      if (call.path.startsWith("/success/")) await onSuccess(call)
      return scripts.get(call.path)?.shift() ?? OK
    })
    asking = await startReceiver(() => OK, { asksForCertificate: true })
    service = await startService({ env: { DELIVERY_PAUSE_MS: "100", ...clientCertificate(folder) } })
    api = service.caller
  })
  afterAll(async () => {
    await service?.close()
    await Promise.all([receiver?.close(), asking?.close()])
    rmSync(folder, { recursive: true })
  })

  let numbers = 0
  const newPath = () => `/path-${++numbers}`
  const callsAt = (path: string) => receiver.received.filter((call) => call.path === path)
  const newSigner = () => `signer-${Date.now()}-${++numbers}@example.org`
  const callbacksOf = async (id: string, version: Version = "v2", as: Api = api): Promise<Json[]> =>
    (await as.get(`/${version}/signature-requests/${id}/callbacks`)).body
  const withdraw = (id: string, version: Version = "v2") =>
    api.post(`/${version}/signature-requests/${id}/withdraw`, {})
  const end = async (urls: Readonly<Record<string, string>>, version: Version = "v2"): Promise<string> => {
    const { id } = await sentTo(api, version, [newSigner()], urls)
    expect((await withdraw(id, version)).status).toBe(200)
    return id
  }
  const inState = (id: string, state: string, as: Api = api) =>
    until(`the callback of ${id} is ${state}`, async () =>
      (await callbacksOf(id, "v2", as)).find((each) => each.state === state),
    )

  describe.each(VERSIONS)("in %s", (version) => {
    it("[EVT-01] [EVT-02] [EVT-03] [EVT-04] [EVT-06] come as people sign: update, then success with the document that can be fetched", async () => {
      const signers = [newSigner(), newSigner()]
      const [update, success] = [newPath(), "/success"]
      let fetched: Answer | undefined
      onSuccess = async ({ path }) => {
        const id = new URL(path, receiver.url).searchParams.get("doc")
        fetched = await api.get(`/${version}/documents/${id}/content`)
      }
      const both = "SERVICE_SIGNATURE_REQUEST_ID/x_SERVICE_DOCUMENT_ID?doc=SERVICE_DOCUMENT_ID"
      const { id } = await sentTo(api, version, signers, {
        callback_update_url: `${receiver.url}${update}?keep=service_document_id`,
        callback_success_url: `${receiver.url}${success}/${both}`,
        callback_error_url: `${receiver.url}/never`,
      })
      const countSigned = async () =>
        (await api.get(`/${version}/signature-requests/${id}`)).body.signatures.filter(
          (signature: Json) => signature.status_code === "SIGNED",
        ).length
      for (const [index, signer] of signers.entries()) {
        const session = await openSession(service.url, await linkMailedTo(signer))
        expect((await session.press("Ada Lovelace")).status).toBe(202)
        await until("the signature is made", async () => (await countSigned()) > index)
      }
      const done = await until("the success callback comes", () =>
        receiver.received.find((call) => call.path.startsWith(`${success}/${id}`)),
      )
      const { document_id } = (await api.get(`/${version}/signature-requests/${id}`)).body
      expect(done.path).toBe(`${success}/${id}/x_${document_id}?doc=${document_id}`)
      // The call is on record before whoever got it has fetched the document.
      const signed = await until("the document is fetched", () => fetched)
      expect(signed.bytes.toString("latin1")).toContain("/ByteRange")
      const updates = callsAt(`${update}?keep=service_document_id`)
      expect(updates).toHaveLength(1)
      for (const call of [...updates, done]) {
        expect(call).toMatchObject({ method: "POST", bodyBytes: 0 })
        expect(call.headers).toMatchObject({ "content-type": "text/plain", "content-length": "0" })
      }
      expect(callsAt("/never")).toEqual([])
      for (const signer of signers) expect((await mailsTo(signer)).length).toBeGreaterThan(0)
      // An answer is on record a moment after whoever gave it has.
      await until("both answers are on record", async () =>
        (await callbacksOf(id, version)).every((call: Json) => call.state === "COMPLETED"),
      )
      expect(await callbacksOf(id, version)).toMatchObject([
        { type: "UPDATE", state: "COMPLETED", signature_request_id: id },
        { type: "SUCCESS", state: "COMPLETED", url: `${receiver.url}${done.path}` },
      ])
    })

    it("[R16] [EVT-03] [EVT-07] are tried again until one is taken, in order, and what came back can be read", async () => {
      const path = newPath()
      scripts.set(path, [
        { status: 500 },
        "reset",
        { status: 302, headers: { location: `${receiver.url}/elsewhere` } },
        { status: 503, headers: { "retry-after": "2" } },
      ])
      const id = await end({ callback_error_url: `${receiver.url}${path}` }, version)
      const callback = await inState(id, "COMPLETED")
      expect(callback).toEqual({
        id: callback.id,
        signature_request_id: id,
        type: "ERROR",
        state: "COMPLETED",
        url: `${receiver.url}${path}`,
        attempts: 5,
        messages: ["answered 500", expect.any(String), "answered 302", "answered 503", "answered 204"],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
      const calls = callsAt(path)
      expect(calls).toHaveLength(5)
      expect(callsAt("/elsewhere")).toEqual([])
      expect((calls[4]?.at ?? 0) - (calls[3]?.at ?? 0)).toBeGreaterThan(1900)
      // One id over all attempts, by which a receiver knows what it has had already.
      expect(new Set(calls.map((call) => call.headers["webhook-id"]))).toEqual(new Set([callback.id]))
    })

    it("[EVT-09] are optional: without their URLs nothing is owed, and the state is read", async () => {
      const id = await end({}, version)
      expect(await callbacksOf(id, version)).toEqual([])
      expect((await api.get(`/${version}/signature-requests/${id}`)).body.status_overall).toBe("WITHDRAWN")
    })

    it("[R13] [EVT-08] [EVT-02] reach nothing inside, and a placeholder in the host is refused", async () => {
      const inside = receiver.url.replace("localhost", "127.0.0.1")
      const id = await end({ callback_error_url: `${inside}/inside` }, version)
      const [callback] = await until("one attempt is made", async () => {
        const all = await callbacksOf(id, version)
        return all[0]?.attempts > 0 && all
      })
      expect(callback.messages[0]).toBe("The address is not one of the public internet.")
      expect(callsAt("/inside")).toEqual([])
      for (const url of [
        "https://SERVICE_DOCUMENT_ID.example.org/",
        "http://example.org/",
        "https://ann:secret@example.org/",
      ]) {
        const refused = sentTo(api, version, [newSigner()], { callback_error_url: url })
        await expect(refused).rejects.toThrow("answered 400:")
      }
    })
  })

  it("[R17] [EVT-05] show the service's certificate to a receiver that asks for one, and call others as well", async () => {
    for (const version of VERSIONS) {
      const [path, other] = [newPath(), newPath()]
      await end({ callback_error_url: `${asking.url}${path}` }, version)
      await end({ callback_error_url: `${receiver.url}${other}` }, version)
      const shown = () => asking.received.find((call) => call.path === path)
      await until("both are called", () => shown() !== undefined && callsAt(other).length > 0)
      expect(shown()).toMatchObject({ certificate: "Paraph callbacks" })
      expect(callsAt(other)).toMatchObject([{ certificate: null }])
    }
  })

  it("are read and repeated by whoever may write the request; who may only read it learns no URL, and others nothing", async () => {
    const path = `${newPath()}?token=hush-${Date.now()}`
    const [reader, writer, observer, stranger] = await Promise.all([
      addUser(service, "callback-reader"),
      addUser(service, "callback-writer"),
      addUser(service, "callback-observer@acme.example"),
      addUser(service, "callback-stranger"),
    ])
    const url = `${receiver.url}${path}`
    const { id } = await sentTo(api, "v2", [newSigner()], {
      callback_success_url: url,
      callback_update_url: url,
      callback_error_url: url,
      read_access: ["callback-reader"],
      write_access: ["callback-writer"],
    })
    const observing = { type: "USER", email: "callback-observer@acme.example" }
    expect((await api.post(`/v3/signature-requests/${id}/observers`, observing)).status).toBe(200)
    for (const v of VERSIONS) {
      const told = async (as: Api) => [
        await as.get(`/${v}/signature-requests/${id}`),
        await as.get(`/${v}/signature-requests`),
        await as.post(`/${v}/signature-requests/bulk`, [id]),
        await as.get(`/${v}/signature-requests/${id}/callbacks`),
      ]
      for (const as of [reader, observer]) {
        const answers = await told(as)
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403])
        for (const { bytes } of answers) expect(bytes.toString()).not.toContain("hush-")
      }
      for (const as of [api, writer])
        for (const { bytes } of (await told(as)).slice(0, 3))
          expect(bytes.toString().split(path).length - 1).toBe(3)
    }
    await withdraw(id)
    const callback = await inState(id, "COMPLETED")
    const replay = (as: Api, which = callback.id) =>
      as.post(`/v2/signature-requests/${id}/callbacks/${which}/replay`, undefined)
    expect(await callbacksOf(id, "v2", writer)).toEqual([callback])
    expect((await reader.get(`/v2/signature-requests/${id}/callbacks`)).status).toBe(403)
    expect((await replay(reader)).status).toBe(403)
    expect((await stranger.get(`/v2/signature-requests/${id}/callbacks`)).status).toBe(404)
    expect((await replay(stranger)).status).toBe(404)
    expect((await replay(api, id)).status).toBe(404)
    expect(callsAt(path)).toHaveLength(1)
    expect(await replay(api)).toMatchObject({ status: 200, body: { id: callback.id, state: "OPEN" } })
    await until("it is called once more", () => callsAt(path).length === 2)
    expect((await inState(id, "COMPLETED")).attempts).toBe(2)
  })

  it("[EVT-07] that are owed when the request is deleted are still delivered", async () => {
    const path = newPath()
    scripts.set(
      path,
      Array.from({ length: 5 }, () => ({ status: 500 })),
    )
    const id = await end({ callback_error_url: `${receiver.url}${path}` })
    expect((await api.delete(`/v2/signature-requests/${id}`)).status).toBe(204)
    expect((await api.get(`/v2/signature-requests/${id}/callbacks`)).status).toBe(404)
    await until("it is delivered", () => callsAt(path).length === 6)
  })

  it("[EVT-07] is not lost with the worker that made the call and died before it could say so", async () => {
    const path = newPath()
    await service.worker.stop()
    // Nothing else is owed, so that it dies of this call and no other.
    await service.sql("update delivery set state = 'RESIGNED' where state = 'OPEN'")
    const doomed = await service.startWorker({ FAULT_POINT: "callback-made" })
    const id = await end({ callback_error_url: `${receiver.url}${path}` })
    expect(await doomed.died).toBe("SIGKILL")
    expect(callsAt(path)).toHaveLength(1)
    expect(await callbacksOf(id)).toMatchObject([{ state: "OPEN", attempts: 0 }])
    await service.startWorker()
    // The lease of the dead one ends.
    service.moveClock(60_000)
    expect(await inState(id, "COMPLETED")).toMatchObject({ attempts: 1, messages: ["answered 204"] })
    expect(callsAt(path)).toHaveLength(2)
  })

  it("[R16] [EVT-07] are given up after 72 hours, in the journal too, and a replay is delivered", async () => {
    const path = newPath()
    let isUp = false
    scripts.set(
      path,
      new Proxy([], {
        get: (_, name) => (name === "shift" ? () => (isUp ? OK : { status: 500 }) : undefined),
      }),
    )
    const id = await end({ callback_error_url: `${receiver.url}${path}` })
    await until("it is tried", () => callsAt(path).length > 0)
    service.moveClock(71 * HOUR_MS)
    const before = callsAt(path).length
    await until("it is tried again", () => callsAt(path).length > before)
    const later = await createApi(service.url, service.username, service.demoKey)
    expect(await callbacksOf(id, "v2", later)).toMatchObject([{ state: "OPEN" }])
    // As it would have been by now, had nobody moved the clock (choice 43).
    await service.sql("update delivery set attempts = 70 where state = 'OPEN'")
    service.moveClock(73 * HOUR_MS)
    const latest = await createApi(service.url, service.username, service.demoKey)
    const { id: callbackId } = await inState(id, "RESIGNED", latest)
    const told = await until("the journal tells of it", async () =>
      (await allEvents(latest)).find((event) => event.type === "callback.gave_up"),
    )
    expect(told.data).toEqual({ signature_request_id: id, callback_id: callbackId })
    isUp = true
    await latest.post(`/v2/signature-requests/${id}/callbacks/${callbackId}/replay`, undefined)
    await inState(id, "COMPLETED", latest)
  })
})

async function allEvents(api: Api): Promise<Json[]> {
  const events: Json[] = []
  for (let after = ""; ; ) {
    const { body } = await api.get(`/v2/events?page_size=500${after && `&after=${after}`}`)
    events.push(...body.events)
    after = body.next ?? ""
    if (!body.has_more) return events
  }
}

function clientCertificate(folder: string): Record<string, string> {
  const [certificate, key] = [join(folder, "client.pem"), join(folder, "client.key")]
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  const files = ["-keyout", key, "-out", certificate, "-days", "2"]
  const extension = ["-addext", "extendedKeyUsage=clientAuth"]
  execFileSync(
    "openssl",
    ["req", "-x509", ...curve, ...files, "-subj", "/CN=Paraph callbacks", ...extension],
    {
      stdio: "pipe",
    },
  )
  return { CALLBACK_CERTIFICATE_FILE: certificate, CALLBACK_KEY_FILE: key }
}
