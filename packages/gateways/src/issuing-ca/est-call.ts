// The two calls of EST that we make: what the authority's certificates are, and one more certificate (RFC 7030, 4.1 and 4.2).

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { ifReadable } from "@paraph/pki/optional"
import { readSignedData } from "@paraph/pki/signed-data"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Answer, Message, Outbound } from "../outbound/outbound.ts"
import { IssuingFailed } from "./failed.ts"

export type EstServer = {
  /** Of its own: its client certificate is EST's, and is shown to nobody else. */
  readonly outbound: Outbound
  /** Such as https://ca.example.org, and the label of an authority there, if it has several (RFC 7030, 3.2.2). */
  readonly url: string
  readonly label: string | null
  /** HTTP Basic (RFC 7030, 3.2.3), where no client certificate says who we are. */
  readonly login: { readonly username: string; readonly password: string } | null
}

const MAX_ANSWER_BYTES = 262_144
const TIMEOUT_MS = 30_000
const MAX_RETRY_SECONDS = 86_400
const DEFAULT_RETRY_SECONDS = 60

export type Enrolled =
  | { readonly certificates: readonly Certificate[] }
  | { readonly retryAfterSeconds: number }

/** Sends a PKCS#10; what comes back is read here and judged elsewhere. */
export async function enroll(server: EstServer, request: Uint8Array): Promise<Enrolled> {
  const answer = await call(server, "simpleenroll", {
    method: "POST",
    headers: { "content-type": "application/pkcs10", "content-transfer-encoding": "base64" },
    // RFC 7030, 4: base64, in lines or not.
    body: Buffer.from(Buffer.from(request).toString("base64")),
  })
  if (answer.status === 202) return { retryAfterSeconds: retryAfter(answer) }
  return { certificates: readCertificates(answer) }
}

/** RFC 7030, 4.1: the authority's certificates, with which a path is built and none is trusted. */
export async function issuersOf(server: EstServer): Promise<readonly Certificate[]> {
  return readCertificates(await call(server, "cacerts", { method: "GET", headers: {} }))
}

type Said = Pick<Message, "method" | "headers" | "body">

async function call(server: EstServer, operation: string, message: Said): Promise<Answer> {
  const { outbound, url, label, login } = server
  const place = ["", ".well-known", "est", ...(label === null ? [] : [encodeURIComponent(label)]), operation]
  const basic = login && Buffer.from(`${login.username}:${login.password}`).toString("base64")
  const answer = await outbound
    .request("certificates", new URL(place.join("/"), url).href, {
      ...message,
      headers: { ...message.headers, ...(basic && { authorization: `Basic ${basic}` }) },
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundFailed)) throw error
      throw new IssuingFailed("unreachable", `The authority cannot be reached: ${error.message}`, {
        cause: error,
      })
    })
  const { status } = answer
  if (status === 200 || (status === 202 && operation === "simpleenroll")) return answer
  if (status >= 500 || status === 429)
    throw new IssuingFailed("unreachable", `The authority answered ${status}.`, {
      retryAfterSeconds: retryAfter(answer),
    })
  throw new IssuingFailed("refused", `The authority answered ${status}.`)
}

/** RFC 9110, 10.2.3: seconds, or a date, which depends on clocks; within a day. */
function retryAfter({ headers }: Answer): number {
  const text = headers["retry-after"] ?? ""
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : DEFAULT_RETRY_SECONDS
  return Math.min(Math.max(1, seconds), MAX_RETRY_SECONDS)
}

/** RFC 7030, 4.1.3 and 4.2.3: a SignedData that nobody signed, for the sake of the certificates in it. */
function readCertificates({ body }: Answer): readonly Certificate[] {
  const text = Buffer.from(body).toString("latin1").replace(/\s+/g, "")
  const read = () =>
    /^[A-Za-z0-9+/]+={0,2}$/.test(text)
      ? readSignedData(Buffer.from(text, "base64")).certificates.map((der) => readCertificate(der))
      : []
  const certificates = ifReadable(read) ?? []
  if (certificates.length === 0)
    throw new IssuingFailed("wrong-answer", "The authority answered something else than certificates.")
  return certificates
}
