import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import { portsFrom } from "../../apps/cli/src/sandbox/place.ts"
import { type Api, createApi, type Json } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { until } from "../service/until.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")
const home = mkdtempSync(join(tmpdir(), "paraph-home-"))
const env = { PATH: process.env.PATH, HOME: home }
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.stdin?.end()
})
afterAll(() => rmSync(home, { recursive: true }))

type Started = {
  readonly url: string
  readonly mails: string
  readonly folder: string
  readonly api: Api
  readonly production: () => Promise<Api>
  readonly login: () => Promise<Api>
  readonly stop: () => Promise<number | null>
  /** By a signal, while its input is still held. */
  readonly terminate: () => Promise<number | null>
}

/** As a test suite starts it: it ends with whoever holds its input. */
async function start(...words: string[]): Promise<Started> {
  const child = spawn(process.execPath, [PARAPH, "sandbox", "--json", "--ci", ...words], { env })
  running.push(child)
  let said = ""
  child.stderr.on("data", (piece) => {
    said += piece
  })
  const ended = once(child, "exit").then(([code]) => code as number | null)
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([once(lines, "line").then(([text]) => text as string), ended])
  if (typeof line !== "string") throw new Error(`The sandbox ended with ${line}: ${said}`)
  const told = JSON.parse(line)
  const login = (key = "api-key") => createApi(told.url, told.username, told[key])
  return {
    ...told,
    api: await login(),
    login: () => login(),
    production: () => login("production-api-key"),
    stop: async () => {
      child.stdin.end()
      return ended
    },
    terminate: async () => {
      child.kill("SIGTERM")
      return ended
    },
  }
}

const paraph = async (...words: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [PARAPH, "sandbox", ...words], { env })).stdout

const content = contractPdf().toString("base64")
const ask = async (api: Api, signatures: object[], more: object = {}): Promise<Json> => {
  const { status, body } = await api.post("/v2/signature-requests", {
    title: "C",
    content,
    signatures,
    ...more,
  })
  expect([status, body.message]).toEqual([200, null])
  return body
}
const statusIs = (api: Api, { id }: Json, status: string) =>
  until(`${id} is ${status}`, async () => {
    const { body } = await api.get(`/v2/signature-requests/${id}`)
    return body.status_overall === status && body
  })

describe("paraph sandbox", () => {
  it("needs nothing but Node: people act by themselves, in every quality and with both kinds of key, until its input ends", async () => {
    const { api, url, production, login, folder, stop } = await start()
    expect(await (await fetch(`${url}/console/`)).text()).toContain("/sandbox.css")
    expect(await (await fetch(`${url}/sandbox.css`)).text()).toContain("nothing that is signed here")
    const person = (email_address: string, more = {}) => ({
      signer_identity_data: { email_address, first_name: "Ada", last_name: "Lovelace", ...more },
    })
    const made = await ask(api, [{ account_email: "signs@example.org" }])
    const declined = await ask(api, [{ account_email: "declines@example.org" }])
    const bounced = await ask(api, [{ account_email: "bounces@example.org" }])
    const advanced = [person("signs+ada.lovelace@example.org", { mobile_number: "+41791234567" })]
    const qualified = [person("signs+ada.lovelace@example.org")]
    await statusIs(api, made, "SIGNED")
    await statusIs(api, declined, "DECLINED")
    await statusIs(api, await ask(api, advanced, { quality: "AES" }), "SIGNED")
    for (const caller of [api, await production()]) {
      const law = { quality: "QES", legislation: "ZERTES" }
      await statusIs(caller, await ask(caller, qualified, law), "SIGNED")
    }
    const named = [person("named@example.org", { mobile_number: "+41791234567" })]
    await ask(await production(), named, { quality: "AES" })
    await until("a person without an established name signs no AES of a production key", async () =>
      paraph("sign", "--as", "named@example.org").then(
        () => Promise.reject(new Error("It was signed.")),
        (error: Error) => error.message.includes("a third party established"),
      ),
    )
    await until("it is said that the mail came back", async () => {
      const { body } = await api.get(`/v3/mails?signature_request_id=${bounced.id}`)
      return body.some(({ state }: Json) => state === "FAILED" || state === "BOUNCED")
    })
    // By the clock a day goes by in no time.
    const slow = await ask(api, [{ account_email: "slow@example.org" }])
    const mine = await ask(api, [{ account_email: "me@example.org" }])
    await until("my mail is there", async () => paraph("sign", "--as", "me@example.org").catch(() => null))
    await statusIs(api, mine, "SIGNED")
    expect((await api.get(`/v2/signature-requests/${slow.id}`)).body.status_overall).toBe("OPEN")
    const before = Date.now()
    const shown = await paraph("clock", "+2d")
    expect(Date.parse(shown.trim())).toBeGreaterThan(before + 2 * 86_400_000 - 1)
    expect(JSON.parse(await paraph("clock", "--json"))).toMatchObject({ stands: false })
    await statusIs(await login(), slow, "SIGNED")
    expect(existsSync(folder)).toBe(true)
    expect(await stop()).toBe(0)
    expect(existsSync(folder)).toBe(false)
  })

  it("repeats itself from a seed: the same keys, ids, times and bytes", async () => {
    const { service } = await portsFrom(24_000, false)
    const once = async () => {
      const { api, stop } = await start("--seed", "42", "--port", String(service))
      const request = await ask(api, [{ account_email: "signs@example.org" }])
      const signed = await statusIs(api, request, "SIGNED")
      const { bytes } = await api.get(`/v2/documents/${signed.document_id}/content`)
      const hash = createHash("sha256").update(bytes).digest("hex")
      const { created_at, signatures, id, document_id } = signed
      expect(await stop()).toBe(0)
      return { id, document_id, created_at, sids: signatures.map(({ sid }: Json) => sid), hash }
    }
    const first = await once()
    expect(first.created_at).toBe("2026-01-05T09:00:00.000Z")
    expect(await once()).toEqual(first)
  })

  it("keeps what was there in a folder of your own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "paraph-kept-"))
    const first = await start("--folder", folder)
    const request = await ask(first.api, [{ account_email: "signs@example.org" }])
    await statusIs(first.api, request, "SIGNED")
    await first.stop()
    const again = await start("--folder", folder)
    expect([again.url, again.folder]).toEqual([first.url, folder])
    await statusIs(again.api, request, "SIGNED")
    await statusIs(again.api, await ask(again.api, [{ account_email: "signs@example.org" }]), "SIGNED")
    expect(await again.terminate()).toBe(0)
    rmSync(folder, { recursive: true })
  })
})
