import { Refusal } from "@paraph/core/refusal"
import type { Kind } from "@paraph/core/signature-request/model"
import { nameOf } from "@paraph/gateways/issuing-ca/world"
import { writeOcspError } from "@paraph/pki/ocsp-writer"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Parts } from "../../parts.ts"
import { type Answered, answerTo, MAX_QUESTION_BYTES, readQuestion } from "./answer.ts"

type PkiParts = Pick<Parts, "servedRecords" | "now">

const A_DAY = 86_400
/** Base64 of a question, and what is escaped in it; RFC 5019, 5 sends longer ones by POST. */
const MAX_ADDRESS = 2 * MAX_QUESTION_BYTES

/**
 * What certificates of ours send the world to (ADR 0038): the issuer, its list, and answers. Nobody needs a token, nothing is signed
 * here, and nothing is changed; by plain http too, since whoever checks a certificate must not have to check one for it.
 */
export async function pki(scope: FastifyInstance, parts: PkiParts): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    "application/ocsp-request",
    { parseAs: "buffer", bodyLimit: MAX_QUESTION_BYTES },
    (_, body, done) => done(null, body),
  )
  scope.post<{ Params: { kind: string } }>("/pki/:kind/ocsp", async ({ params, body }, reply) => {
    const asked = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    return sendAnswer(reply, await answered(parts, kindOf(params.kind), asked), parts.now(), false)
  })
  // RFC 6960, A.1: the question in the address, so that whoever stands between may keep the answer.
  scope.get<{ Params: { kind: string; "*": string } }>("/pki/:kind/ocsp/*", async ({ params }, reply) => {
    const text = params["*"]
    const asked =
      text.length <= MAX_ADDRESS && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
        ? Buffer.from(text, "base64")
        : Buffer.alloc(0)
    return sendAnswer(reply, await answered(parts, kindOf(params.kind), asked), parts.now(), true)
  })
  scope.get<{ Params: { kind: string; file: string } }>("/pki/:kind/:file", async ({ params }, reply) =>
    sendFile(parts, reply, kindOf(params.kind), params.file),
  )
}

async function answered(parts: PkiParts, kind: Kind, asked: Uint8Array): Promise<Answered | Uint8Array> {
  const question = readQuestion(asked)
  if (question === null) return writeOcspError("malformedRequest")
  return answerTo(parts.servedRecords, kind, question, parts.now())
}

/** RFC 5019, 6.2. An answer that says nothing is for nobody to keep. */
function sendAnswer(
  reply: FastifyReply,
  answer: Answered | Uint8Array,
  now: Date,
  isKept: boolean,
): FastifyReply {
  reply.type("application/ocsp-response")
  if (answer instanceof Uint8Array) return reply.send(Buffer.from(answer))
  const { bytes, at, until, tag } = answer
  const seconds = Math.max(0, Math.floor((until.getTime() - now.getTime()) / 1000))
  if (isKept)
    reply
      .header("cache-control", `max-age=${seconds}, public, no-transform, must-revalidate`)
      .header("last-modified", at.toUTCString())
      .header("expires", until.toUTCString())
      .header("etag", `"${tag}"`)
  return reply.send(Buffer.from(bytes))
}

/** `issuing-1.cer` (RFC 5280, 4.2.2.1) and `issuing-1.crl` (4.2.1.13). */
async function sendFile({ servedRecords, now }: PkiParts, reply: FastifyReply, kind: Kind, file: string) {
  const [, name, type] = /^([a-z]{1,20}-\d{1,9})\.(cer|crl)$/.exec(file) ?? []
  const rows = name === undefined ? [] : await servedRecords.authorities(kind)
  const authority = rows.find(
    (row) => (row.role === "root" || row.role === "issuing") && nameOf(row) === name,
  )
  if (authority?.certificate == null) throw nothing()
  if (type === "cer")
    return reply
      .type("application/pkix-cert")
      .header("cache-control", `public, max-age=${A_DAY}`)
      .send(Buffer.from(authority.certificate))
  const kept = await servedRecords.findList(authority.id)
  if (kept === null) throw nothing()
  const seconds = Math.max(0, Math.floor((kept.dueAt.getTime() - now().getTime()) / 1000))
  return reply
    .type("application/pkix-crl")
    .header("cache-control", `public, max-age=${seconds}, no-transform, must-revalidate`)
    .header("last-modified", kept.issuedAt.toUTCString())
    .header("expires", kept.until.toUTCString())
    .send(Buffer.from(kept.list))
}

function kindOf(text: string): Kind {
  if (text !== "demo" && text !== "production") throw nothing()
  return text
}

const nothing = () => new Refusal("not-found", "There is nothing at this address.")
