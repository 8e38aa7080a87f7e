import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { type Answer, call, type Json } from "./api.ts"
import { linkMailedTo } from "./mailbox.ts"
import { newAddress, sentTo, uploadTo } from "./requests.ts"
import type { Service } from "./service.ts"
import { secretOf } from "./signer.ts"
import { until } from "./until.ts"

/** Somebody with a browser on our pages, of which only the cookies matter here. */
export type Visitor = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** With the signature that was on the screen at first, as a tab says it. */
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  readonly view: () => Promise<Json>
  readonly cookie: string
}

/** Opens an address, with all that is behind it, and presses the button. */
export async function enter(
  { url }: Pick<Service, "url">,
  address: string,
  headers: Record<string, string> = {},
): Promise<Visitor> {
  const { pathname, search } = new URL(address, url)
  const secret = secretOf(address)
  const door = await call(url, "POST", pathname + search, undefined, { origin: url, ...secret, ...headers })
  const to = door.headers.get("location")
  if (door.status !== 303 || to !== "/app/") throw new Error(`The door answered ${door.status}, ${to}.`)
  const cookie = /^[^;]+/.exec(door.headers.get("set-cookie") ?? "")?.[0] ?? ""
  const of = { cookie, origin: url, ...headers }
  const get = (path: string, more = {}) => call(url, "GET", `/app/api${path}`, undefined, { ...of, ...more })
  const { signature: shown } = (await get("/signature")).body
  return {
    cookie,
    get,
    post: (path, body = {}, more = {}) =>
      call(url, "POST", `/app/api${path}`, body, { ...of, "paraph-signature": shown, ...more }),
    view: async () => (await get("/signature")).body,
  }
}

/** With a provider: by the certificate that the person has there. */
export async function signAs(visitor: Visitor, name = "Ada Lovelace", provider?: string): Promise<Answer> {
  const { consent, atProvider, documents } = await visitor.view()
  const shown = documents.map((document: Json) => document.id)
  if (provider === undefined)
    return visitor.post("/signature/sign", { name, consentVersion: consent.version, shown })
  const consentVersion = atProvider.consent.version
  return visitor.post("/signature/sign", { name, consentVersion, shown, provider })
}

export const isDone = (visitor: Visitor) =>
  until("it is signed", async () => (await visitor.view()).screen === "done")

/** The link that was mailed to a new person, for a request of their own, as mails had it before ADR 0099: a query can follow it. */
export async function invited({ caller }: Service): Promise<string> {
  const email = newAddress("page")
  await sentTo(caller, "v2", [email])
  return (await linkMailedTo(email)).replace("/sign/#", "/sign/")
}

/** A signer without an account, by the e-mail form: their address of a preview is in the answer. */
export async function previewed({ caller }: Service, data: object = {}, more: object = {}) {
  const email = newAddress("preview")
  const signer = { email_address: email, identity_reference: "x-1", ...data }
  const created = await caller.post("/v2/signature-requests", {
    title: "Rental agreement",
    ...more,
    document_id: await uploadTo(caller, "v2"),
    signatures: [{ signer_identity_data: signer }],
  })
  if (created.status !== 200) throw new Error(`The request answered ${created.status}.`)
  const [{ signing_url: url, sid }] = created.body.signatures
  return { email, url: url as string, sid: sid as string, request: created.body as Json }
}

/** The stream of events, one by one. */
export async function listen(url: string, { cookie }: Visitor) {
  const asked = httpRequest(`${url}/app/api/signature/events`, { headers: { cookie } }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`The stream answered ${response.statusCode}.`)
  const events: { type: string; data: Json }[] = []
  let text = ""
  response.setEncoding("utf8").on("data", (piece: string) => {
    text += piece
    const whole = text.split("\n\n")
    text = whole.pop() ?? ""
    for (const each of whole) {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/s.exec(each) ?? []
      if (type !== undefined && data !== undefined) events.push({ type, data: JSON.parse(data) })
    }
  })
  response.on("error", () => undefined)
  return {
    headers: response.headers,
    ended: new Promise<void>((resolve) => response.once("close", () => resolve())),
    close: () => asked.destroy(),
    next: async (type: string): Promise<Json> => {
      const event = await until(`an event ${type} comes`, () => events.shift())
      if (event.type !== type) throw new Error(`It was an event ${event.type}.`)
      return event.data
    },
  }
}
