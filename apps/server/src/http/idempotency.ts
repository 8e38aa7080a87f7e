import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Refusal } from "@paraph/core/refusal"
import { awaitSeal } from "@paraph/core/seal/await-seal"
import { type Claim, type Claimed, type KeptAnswer, LEASE_MS } from "@paraph/store/idempotency"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../parts.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Held while a POST with an `Idempotency-Key` is worked on. */
    claim: { readonly of: Claim; readonly stopRenewing: () => void } | null
  }
  interface FastifyContextConfig {
    /** The answer holds a secret that is shown once: it is never kept. */
    readonly secretAnswer?: boolean
    /** Changes nothing: it may be sent as often as one likes, and its answer is not kept. */
    readonly changesNothing?: boolean
    /** Reads what the work has made, such as "validations/…", and answers it as the first one did; where no address has it. */
    readonly answerAgain?: (request: FastifyRequest, made: string) => Promise<object>
  }
}

/** Decisions, "idempotency": from here on in this scope every POST but login may be sent twice (ADR 0026). */
export function idempotent(app: FastifyInstance, parts: Parts): void {
  app.decorateRequest("claim", null)
  // With a callback, so that the handler runs under the claim: its transactions commit for it, and for nobody else.
  app.addHook("preHandler", (request, reply, done) => {
    if (!isRepeatable(request)) return done()
    begin(app, parts, request).then((found) => {
      if (found.type === "kept") return replay(reply, found.answer)
      request.claim = { of: found.claim, stopRenewing: renewing(parts, found.claim) }
      parts.idempotency.under(found.claim, done)
    }, done)
  })
  app.addHook("onSend", async (request, reply, payload) => {
    const { claim } = request
    if (claim === null) return
    request.claim = null
    claim.stopRenewing()
    parts.pass("answer-made")
    // Without it the answer is still true. Who asks again is told what the work has made, or the work is done then.
    await conclude(parts, claim.of, request, reply, payload).catch((error: unknown) =>
      request.log.error({ error }, "the answer could not be kept"),
    )
  })
}

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

function isRepeatable({ method, headers, is404, routeOptions }: FastifyRequest): boolean {
  const { public: isPublic, changesNothing } = routeOptions.config
  const isOperation = method === "POST" && !is404 && isPublic !== true && changesNothing !== true
  return isOperation && headers["idempotency-key"] !== undefined
}

function keyOf({ headers }: FastifyRequest): string {
  const key = headers["idempotency-key"]
  if (typeof key === "string" && KEY.test(key)) return key
  throw new Refusal("constraint-violated", "An Idempotency-Key has 1 to 255 printable characters.")
}

/** How long somebody waits for the first one to be done; uploads may take longer. */
const PATIENCE_MS = 20_000

type Begun =
  | { readonly type: "kept"; readonly answer: KeptAnswer }
  | Extract<Claimed, { readonly type: "ours" }>

async function begin(app: FastifyInstance, parts: Parts, request: FastifyRequest): Promise<Begun> {
  const key = keyOf(request)
  const hash = hashOf(request)
  const until = performance.now() + PATIENCE_MS
  for (let wait = 25; ; wait = Math.min(wait * 1.5, 500)) {
    const found = await parts.idempotency.claim(request.caller, key, hash)
    if (found.type === "ours") return found
    if (found.type === "used") throw conflict("This Idempotency-Key was used for another request.")
    if (found.type === "answered") {
      if (found.answer === null) throw conflict("The answer was given once, and is not kept.")
      return { type: "kept", answer: found.answer }
    }
    if (found.type === "done") {
      const answer = await readAgain(app, parts, request, found.result)
      await parts.idempotency.keep(found.claim, answer)
      return { type: "kept", answer }
    }
    if (performance.now() > until)
      throw new Refusal("idempotency-running", "The first request with this key is not done yet.", {
        retryAfterSeconds: 5,
      })
    await pause(wait)
  }
}

const conflict = (detail: string) => new Refusal("idempotency-conflict", detail)

/** The same method, address and body. A document counts by its hash: its bytes have gone to the disk, sealed. */
function hashOf(request: FastifyRequest): Buffer {
  const parts = [request.method, request.url, received(request), JSON.stringify(request.body ?? null)]
  return createHash("sha256").update(JSON.stringify(parts)).digest()
}

const received = (request: FastifyRequest): string | null => request.received?.sha256 ?? null

/** While the process lives, so does its claim; one that is dead gives way after the lease. */
function renewing(parts: Parts, claim: Claim): () => void {
  const renew = () => void parts.idempotency.renew(claim).catch(() => undefined)
  const timer = setInterval(renew, LEASE_MS / 3).unref()
  return () => clearInterval(timer)
}

/** A refusal is an answer like any other. A fault is none, nor is "too many": then the next one may try. */
async function conclude(
  { idempotency }: Parts,
  claim: Claim,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const status = reply.statusCode
  if (status >= 500 || status === 429) return idempotency.letGo(claim)
  const isText = typeof payload === "string" || payload === undefined || payload === null
  if (request.routeOptions.config.secretAnswer === true || !isText)
    return idempotency.keepStatus(claim, status)
  await idempotency.keep(claim, { status, headers: headersOf(reply), body: payload ?? "" })
}

const KEPT_HEADERS = ["content-type", "etag", "link", "location"] as const

function headersOf(reply: FastifyReply): Readonly<Record<string, string>> {
  const entries = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string"))
}

function replay(reply: FastifyReply, { status, headers, body }: KeptAnswer): void {
  reply.code(status).headers(headers).header("idempotent-replayed", "true").send(body)
}

/** The operations that answer the very thing that a `GET` of its address answers. */
const ANSWERS: Readonly<Record<string, "documents" | "signature-requests" | "seal-batches">> = {
  "/documents": "documents",
  "/documents/:id/watermark": "documents",
  "/signature-requests": "signature-requests",
  "/signature-requests/:id/signatures": "signature-requests",
  "/signature-requests/:id/documents": "signature-requests",
  "/signature-requests/:id/initiate": "signature-requests",
  "/signature-requests/:id/remind": "signature-requests",
  "/signature-requests/:id/withdraw": "signature-requests",
  "/signature-requests/:id/attachments": "signature-requests",
  "/templates/:id/signature-requests": "signature-requests",
  "/seal-batches": "seal-batches",
}

/** Whoever did the work died before its answer was kept. What was made is there, so it is read, as it is now. */
async function readAgain(
  app: FastifyInstance,
  parts: Parts,
  request: FastifyRequest,
  result: string | null,
): Promise<KeptAnswer> {
  const [, version = "", operation = ""] = /^\/(v\d)(\/.*)$/.exec(request.routeOptions.url ?? "") ?? []
  const lost = conflict("The first request was done, but its answer is lost. Look at what there is.")
  // A seal may still be in the making: whoever comes again waits for the same one.
  if (operation === "/seal" && result?.startsWith("seals/") === true) {
    const of = { businessId: request.caller.businessId, sealingId: result.slice("seals/".length) }
    const body = JSON.stringify({ document_id: await awaitSeal(parts, { ...of, isRepeatable: true }) })
    return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body }
  }
  const { answerAgain } = request.routeOptions.config
  if (answerAgain !== undefined && result !== null) {
    const body = JSON.stringify(await answerAgain(request, result).catch(() => Promise.reject(lost)))
    return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body }
  }
  if (result === null || result.split("/")[0] !== ANSWERS[operation]) throw lost
  const { authorization = "" } = request.headers
  const url = `/${version}/${result}`
  const { statusCode, headers, body } = await app.inject({ method: "GET", url, headers: { authorization } })
  if (statusCode !== 200) throw lost
  return { status: 200, headers: { "content-type": String(headers["content-type"]) }, body }
}
