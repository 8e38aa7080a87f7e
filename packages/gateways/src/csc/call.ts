import { OutboundFailed, type OutboundFailure } from "../outbound/failed.ts"
import type { Answer, Outbound } from "../outbound/outbound.ts"
import { CscFailed, type CscFailure, invalid } from "./failed.ts"
import { type Json, member, readJson } from "./json.ts"

const MAX_ANSWER_BYTES = 2_097_152

/** How the provider is reached. A device may take seconds for each of fifty hashes. */
export type Reach = { readonly outbound: Outbound; readonly baseUrl: string; readonly timeoutMs: number }

export type Call = (
  method: string,
  accessToken: string | null,
  parameters: Json,
) => Promise<{ readonly status: number; readonly body: Json }>

/** CSC API 2.0, 7: every method is a POST of JSON below the base address. */
export function createCall(reach: Reach): Call {
  return async (method, accessToken, parameters) => {
    const answer = await send(reach, `${reach.baseUrl}/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(accessToken !== null && { authorization: `Bearer ${accessToken}` }),
      },
      body: Buffer.from(JSON.stringify(parameters)),
    })
    if (answer.status !== 200 && answer.status !== 202 && answer.status !== 204) throw failureOf(answer)
    // 11.8: a challenge that went to the person's telephone is no content.
    return { status: answer.status, body: answer.status === 204 ? {} : readJson(answer.body) }
  }
}

/** One message to the provider; what leaves it without an answer that says yes or no is a failure of ours already. */
export async function send(
  { outbound, timeoutMs }: Reach,
  url: string,
  message: {
    readonly method: "GET" | "POST"
    readonly headers: Record<string, string>
    readonly body?: Uint8Array
  },
): Promise<Answer> {
  try {
    const answer = await outbound.request("qes", url, {
      ...message,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs,
    })
    if (answer.status === 429 || answer.status === 408 || answer.status >= 500) throw failureOf(answer)
    return answer
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    throw new CscFailed(BY_OUTBOUND[error.code] ?? "unreachable", error.message, { cause: error })
  }
}

// A certificate that has run out, or a name that does not resolve, is mended by somebody: these are worth another try.
const BY_OUTBOUND: Partial<Record<OutboundFailure, CscFailure>> = {
  "refused-address": "for-good",
  "unsupported-url": "for-good",
  "too-large": "invalid-answer",
  "too-many-redirects": "invalid-answer",
  "unsupported-answer": "invalid-answer",
}

const MAX_RETRY_SECONDS = 3_600

function failureOf({ status, headers, body }: Answer): CscFailed {
  const said = { cause: new Error(`${status}: ${Buffer.from(body).toString("utf8").slice(0, 500)}`) }
  if (status === 429) {
    const seconds = Number(headers["retry-after"])
    const retryAfterSeconds = seconds > 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_SECONDS) : 60
    return new CscFailed("rate-limited", "The provider has too much to do.", { ...said, retryAfterSeconds })
  }
  if (status === 501) return new CscFailed("for-good", "The provider has no such method.", said)
  if (status >= 500 || status === 408)
    return new CscFailed("unreachable", "The provider does not work at the moment.", said)
  if (status < 400) return invalid(`status ${status}`, said)
  return errorOf(status, errorIn(body), said)
}

type ErrorBody = { readonly error: string; readonly description: string }

function errorIn(body: Uint8Array): ErrorBody {
  try {
    const read = readJson(body)
    return {
      error: String(member(read, "error") ?? ""),
      description: String(member(read, "error_description") ?? ""),
    }
  } catch {
    // The status alone counts then.
    return { error: "", description: "" }
  }
}

/** 10.2 and the tables of each method. Most say `invalid_request`, and what it is only in words. */
export function errorOf(status: number, { error, description }: ErrorBody, said: ErrorOptions): CscFailed {
  if (error === "access_denied") return new CscFailed("refused", "The release was refused.", said)
  if (/^invalid_(otp|pin|authentication_data)$/.test(error))
    return new CscFailed("wrong-factor", "The PIN or the code is wrong.", said)
  if (/certificate is expired|credential.*\b(disabled|locked|revoked|suspended)\b/i.test(description))
    return new CscFailed("credential-unusable", "The credential cannot be used any more.", said)
  const isOver =
    status === 401 ||
    ["expired_token", "invalid_token", "invalid_grant"].includes(error) ||
    /SAD expired|invalid parameter SAD|(token|code) (is |has )?(invalid|expired)/i.test(description)
  if (isOver) return new CscFailed("expired", "The release is over.", said)
  return new CscFailed("for-good", "The provider does not take what was asked for.", said)
}
