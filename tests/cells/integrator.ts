import { createHash, randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { type Answer, call } from "../service/api.ts"
import { linkIn, mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { openSession } from "../service/signer.ts"
import type { Business } from "./region.ts"

/** What was acknowledged: nothing of it may be lost. */
export type Acknowledged = {
  readonly requestId: string
  readonly documentId: string
  readonly sha256: string
  readonly signer: string
  pressed: boolean
}

export type Integrator = {
  readonly acknowledged: readonly Acknowledged[]
  /** What was answered otherwise than with success, by status; 0 where there was no answer. */
  readonly refused: readonly {
    readonly status: number
    readonly what: string
    readonly retryAfter: string | null
  }[]
  readonly ask: (method: string, path: string, body?: unknown, idempotent?: string) => Promise<Answer>
  /** Lets what is under way come to its end. */
  readonly stop: () => Promise<void>
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

export { sha256 }

/** Of what waits to be signed, so much at most: a machine signs more slowly than it is asked to. */
const AHEAD = 4

/** One after the other, without end: uploads, asks for a signature, reads, and signs by the mailed link, as the documentation says. */
export function startIntegrator(url: string, business: Business, callbackUrl: string): Integrator {
  const acknowledged: Acknowledged[] = []
  const refused: Refused[] = []
  let stopped = false
  const ask = createAsking(url, business, refused)
  const asking = async (): Promise<void> => {
    while (!stopped) {
      if (acknowledged.filter(({ pressed }) => !pressed).length < AHEAD)
        acknowledged.push(await send(ask, callbackUrl))
      await pause(200)
    }
  }
  const signing = async (): Promise<void> => {
    while (!stopped) {
      const next = acknowledged.find(({ pressed }) => !pressed)
      const failed = (what: string) => void refused.push({ status: 503, what, retryAfter: "2" })
      if (next !== undefined) next.pressed = await signByLink(url, next.signer, () => stopped, failed)
      await pause(50)
    }
  }
  const running = Promise.all([asking(), signing()])
  return {
    acknowledged,
    refused,
    ask,
    stop: async () => {
      stopped = true
      await running
    },
  }
}

type Ask = Integrator["ask"]
type Refused = Integrator["refused"][number]

/** Repeats on 503, and logs in again on 401 (docs/cells.md). */
function createAsking(url: string, { username, demoKey }: Business, refused: Refused[]): Ask {
  let token = ""
  const note = ({ status, headers }: Answer, what: string) =>
    void refused.push({ status, what, retryAfter: headers.get("retry-after") })
  const logIn = async (): Promise<void> => {
    const login = await call(url, "POST", "/v2/access/login", { username, "api-key": demoKey }, {})
    if (login.status === 200) token = login.bytes.toString()
    else note(login, "login")
  }
  return async (method, path, body, idempotent) => {
    for (;;) {
      if (token === "") await logIn()
      const headers = {
        authorization: `Bearer ${token}`,
        ...(idempotent && { "idempotency-key": idempotent }),
      }
      const answer = await call(url, method, path, body, headers)
      if (answer.status < 400) return answer
      note(answer, `${method} ${path.split("/").slice(0, 3).join("/")}`)
      if (answer.status === 401) token = ""
      else if (answer.status !== 503 && answer.status !== 409) return answer
      await pause(200)
    }
  }
}

async function send(ask: Ask, callbackUrl: string): Promise<Acknowledged> {
  const bytes = contractPdf(`Contract ${randomUUID()}`)
  const content = bytes.toString("base64")
  const uploaded = await ask("POST", "/v2/documents", { title: "Contract", content }, randomUUID())
  const documentId = uploaded.body.id as string
  const signer = `signer-${randomUUID()}@example.org`
  const order = {
    title: "Contract",
    document_id: documentId,
    signatures: [{ account_email: signer }],
    callback_success_url: `${callbackUrl}/SERVICE_SIGNATURE_REQUEST_ID`,
  }
  const created = await ask("POST", "/v2/signature-requests", order, randomUUID())
  if (created.status !== 200) throw new Error(`${created.status}: ${created.body?.message}`)
  const requestId = created.body.id as string
  await ask("GET", `/v2/signature-requests/${requestId}`)
  return { requestId, documentId, sha256: sha256(bytes), signer, pressed: false }
}

/** As a person who waits for the mail and tries again when the page says so; false where there was no time for it. */
export async function signByLink(
  url: string,
  signer: string,
  isOver: () => boolean = () => false,
  failed: (what: string) => void = () => undefined,
): Promise<boolean> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (isOver()) return false
    const link = (await mailsTo(signer)).flatMap((mail) => linkIn(mail) ?? []).at(-1)
    const said = link === undefined ? "" : await press(url, link)
    if (said === "kept") return true
    if (said !== "") failed(said)
    await pause(100)
  }
  throw new Error(`${signer} could not sign.`)
}

async function press(url: string, link: string): Promise<string> {
  try {
    const { status } = await (await openSession(url, link)).press("Ada Lovelace")
    return status === 202 ? "kept" : `press ${status}`
  } catch (error) {
    // An earlier press was kept, though its answer did not come.
    return /"screen":"(done|working)"/.test(String(error)) ? "kept" : String(error).slice(0, 300)
  }
}
