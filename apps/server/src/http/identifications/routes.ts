import * as wire from "@paraph/contract/shared/identification"
import type { StoredAttachment } from "@paraph/core/attachment/ports"
import { CLAIMS_FILE } from "@paraph/core/identification/evidence-files"
import {
  type Evidence,
  readEvidence,
  readStatus,
  reviewIdentification,
} from "@paraph/core/identification/read"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { sendFile } from "../documents/content.ts"
import { contentDisposition } from "../file-name.ts"

const ONE = "/signature-requests/:id/identifications/:evidence_id"
type OfOne = { Params: wire.EvidenceParams }
const of = { params: wire.EvidenceParams }

/** Decisions, "express QES"; v2 and v3 (XQ-02). */
export function identifications(app: FastifyInstance, parts: Parts, body: typeof wire.ReviewBody): void {
  const json = {
    ...of,
    operationId: "getIdentification",
    summary: "Read the evidence of an identification",
    response: { 200: wire.Identification },
  }
  app.get<OfOne>(ONE, { schema: json }, async ({ caller, params }) =>
    written(parts, await readEvidence(parts, caller, wire.readAsked(params))),
  )

  const status = {
    ...of,
    operationId: "getIdentificationStatus",
    summary: "Read how far an identification has come",
    response: { 200: wire.IdentificationStatus },
  }
  app.get<OfOne>(`${ONE}/status`, { schema: status }, async ({ caller, params }) =>
    wire.writeStatus(await readStatus(parts, caller, wire.readAsked(params))),
  )

  const jwt = {
    ...of,
    operationId: "getIdentificationJwt",
    summary: "Read the evidence as a signed token",
    description: "A JWS whose key is in /.well-known/jwks.json; there once the identification is ACCEPTED.",
    response: { 200: { content: { "application/jwt": { schema: Type.String() } } } },
  }
  app.get<OfOne>(`${ONE}/jwt`, { schema: jwt }, async ({ caller, params }, reply) => {
    const evidence = await readEvidence(parts, caller, wire.readAsked(params))
    // What is signed by us is taken for more than it says: so nothing is, before there is evidence.
    if (evidence.status !== "ACCEPTED") throw new Refusal("not-found", "There is no evidence yet.")
    const token = await parts.evidenceTokens.sign(await written(parts, evidence))
    return reply.type("application/jwt").header("cache-control", "no-store").send(token)
  })

  const review = {
    ...of,
    operationId: "reviewIdentification",
    summary: "Say whether the identified person is the one who was meant",
    body,
    response: { 200: wire.IdentificationStatus },
  }
  app.post<OfOne & { Body: wire.ReviewBody }>(
    `${ONE}/review`,
    { schema: review },
    async ({ caller, params, body: { decision } }) => {
      const asked = wire.readAsked(params)
      return wire.writeStatus(await reviewIdentification(parts, caller, asked, decision === "ACCEPTED"))
    },
  )

  files(app, parts)
}

function files(app: FastifyInstance, parts: Parts): void {
  const list = {
    ...of,
    operationId: "listIdentificationFiles",
    summary: "List the files of the evidence",
    response: { 200: Type.Array(wire.EvidenceFile) },
  }
  app.get<OfOne>(`${ONE}/files`, { schema: list }, async ({ caller, params }) =>
    (await readEvidence(parts, caller, wire.readAsked(params))).files.map(wire.writeFile),
  )

  const read = {
    params: wire.EvidenceFileParams,
    operationId: "getIdentificationFile",
    summary: "Download a file of the evidence",
    response: {
      200: { content: { "*/*": { schema: Type.Any() } } },
      206: { content: { "*/*": { schema: Type.Any() } } },
      304: Type.Null(),
    },
    problems: [416],
    answerHeaders: ["etag", "accept-ranges", "content-range", "content-disposition"],
  }
  app.get<{ Params: wire.EvidenceFileParams }>(
    `${ONE}/files/:name`,
    { schema: read },
    async (request, reply) => {
      const { caller, params } = request
      const found = await readEvidence(parts, caller, wire.readAsked(params))
      const file = found.files.find(({ filename }) => filename === params.name)
      if (file === undefined) throw new Refusal("not-found", "There is no such file.")
      parts.reads.begin({ ...caller, id: caller.userId }, request, reply)
      const ending = file.filename.slice(file.filename.lastIndexOf("."))
      return sendFile(parts, request, reply, file, contentDisposition(file.filename, "attachment", [ending]))
    },
  )
}

async function written(
  parts: Parts,
  evidence: Evidence & { readonly files: readonly StoredAttachment[] },
): Promise<wire.Identification> {
  const file = evidence.files.find(({ filename }) => filename === CLAIMS_FILE)
  return wire.writeIdentification(evidence, file === undefined ? null : await readClaims(parts, file))
}

async function readClaims(parts: Parts, file: StoredAttachment): Promise<Record<string, unknown>> {
  const pieces: Uint8Array[] = []
  for await (const piece of parts.readContent(file)) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString("utf8"))
}
