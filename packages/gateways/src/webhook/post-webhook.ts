import { type CallbackAnswer, post } from "../callback/post-callback.ts"
import type { Outbound } from "../outbound/outbound.ts"
import { type SignedMessage, webhookHeaders } from "./headers.ts"

/** Standard Webhooks: HTTP POST, JSON, signed. Guarded, timed and cut as a callback is. */
export const postWebhook = (
  outbound: Outbound,
  url: string,
  message: SignedMessage,
): Promise<CallbackAnswer> =>
  post(
    outbound,
    url,
    { "content-type": "application/json", ...webhookHeaders(message) },
    Buffer.from(message.body),
  )
