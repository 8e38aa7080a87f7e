import { OutboundFailed } from "../outbound/failed.ts"
import type { Answer, Outbound } from "../outbound/outbound.ts"
import { SmsFailed } from "./failed.ts"

export type SmsGateway = {
  readonly url: string
  readonly token: string
  /** The name or the number that the message seems to come from; empty: the gateway's own. */
  readonly sender: string
}

export type Sms = {
  /** E.164. */
  readonly to: string
  readonly text: string
  /** The same over all attempts: a gateway that has had it does not send it again. */
  readonly reference: string
}

const MAX_ANSWER_BYTES = 16_384
const TIMEOUT_MS = 15_000
const MAX_ID_CHARACTERS = 200

/**
 * Hands text messages to the operator's gateway, by a small contract of our own that an adapter for any provider can speak
 * (docs/howto/connect-an-sms-gateway.md). The gateway owns delivery; our queue repeats until it accepts.
 */
export const createSendSms =
  (outbound: Outbound, gateway: SmsGateway) =>
  async (sms: Sms): Promise<{ readonly id: string }> => {
    const answer = await post(outbound, gateway, sms)
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer.status)
    return { id: idIn(answer) }
  }

async function post(outbound: Outbound, { url, token, sender }: SmsGateway, sms: Sms): Promise<Answer> {
  const { to, text, reference } = sms
  const body = { to, text, reference, ...(sender !== "" && { from: sender }) }
  try {
    return await outbound.request("sms", url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json",
        "idempotency-key": reference,
      },
      body: Buffer.from(JSON.stringify(body)),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    // Only what went wrong, never what was sent.
    throw new SmsFailed(OF_OUTBOUND[error.code] ?? "unreachable", `The SMS gateway: ${error.message}`)
  }
}

const OF_OUTBOUND: Readonly<Partial<Record<OutboundFailed["code"], SmsFailed["code"]>>> = {
  "refused-address": "refused",
  "unsupported-url": "refused",
  "too-large": "invalid-answer",
  "unsupported-answer": "invalid-answer",
}

/** 422 alone is about the number. Whatever else it refuses may be mended, and the message goes then, if somebody still waits for it. */
function failureOf(status: number): SmsFailed {
  if (status === 422) return new SmsFailed("number", "The SMS gateway does not reach this number.")
  const isLater = status >= 500 || status === 408 || status === 409 || status === 425 || status === 429
  return new SmsFailed(isLater ? "unreachable" : "refused", `The SMS gateway answered ${status}.`)
}

/** A page of some proxy says 200 too: only who gives the message a name has taken it. */
function idIn({ body }: Answer): string {
  try {
    const { id } = JSON.parse(Buffer.from(body).toString("utf8")) as { id?: unknown }
    if (typeof id === "string" && ID.test(id)) return id
  } catch {
    // Told below.
  }
  throw new SmsFailed("invalid-answer", "The SMS gateway answered without an id of the message.")
}

const ID = new RegExp(`^[\\x21-\\x7e]{1,${MAX_ID_CHARACTERS}}$`)
