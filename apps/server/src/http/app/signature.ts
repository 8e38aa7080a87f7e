import { TEXT, Uuid } from "@paraph/contract/shared/fields"
import { LIMITS } from "@paraph/core/limits"
import { currentConsent } from "@paraph/core/signature-request/consent"
import { decline } from "@paraph/core/signature-request/decline"
import { statusOf } from "@paraph/core/signature-request/model"
import { requestSigning } from "@paraph/core/signature-request/request-signing"
import { viewSignature } from "@paraph/core/signature-request/view"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { addressee } from "./addressee.ts"
import { mustBeOurPage, mustBeSigner, mustMayAct, type SignerSession } from "./session.ts"

const SignBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: LIMITS.signerNameCharacters, pattern: TEXT }),
  consentVersion: Type.String({ maxLength: 100 }),
  /** The ids of the documents that the page showed. */
  shown: Type.Array(Uuid, { maxItems: LIMITS.documentsPerRequest }),
})
const DeclineBody = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: LIMITS.declineReasonCharacters, pattern: TEXT })),
})

/** What the web application calls; private, not a contract. */
export function signature(app: FastifyInstance, parts: Parts): void {
  app.get("/app/api/signature", async (request) => writeView(parts, await mustBeSigner(parts, request)))

  app.post<{ Body: Type.Static<typeof SignBody> }>(
    "/app/api/signature/sign",
    { bodyLimit: 16_384, schema: { body: SignBody } },
    async (request, reply) => {
      mustBeOurPage(parts, request, "app")
      const signer = await mustMayAct(parts, request)
      await requestSigning(parts, signer, request.body)
      return reply.code(202).send(await writeView(parts, signer))
    },
  )

  app.post<{ Body: Type.Static<typeof DeclineBody> }>(
    "/app/api/signature/decline",
    { bodyLimit: 16_384, schema: { body: DeclineBody } },
    async (request) => {
      mustBeOurPage(parts, request, "app")
      const signer = await mustMayAct(parts, request)
      await decline(parts, signer, request.body.reason)
      return writeView(parts, signer)
    },
  )
}

async function writeView(parts: Parts, signer: SignerSession) {
  const { request, signature: own, screen, documents } = await viewSignature(parts, signer)
  const { version, text } = currentConsent()
  return {
    screen: signer.preview && screen === "read" ? "preview" : screen,
    request: {
      title: request.title,
      message: request.message,
      sender: await parts.businessName(request.businessId),
      demo: request.kind === "demo",
      status: statusOf(request),
    },
    signer: { email: addressee(own), name: own.consent?.name ?? null },
    documents: documents.map(({ id, title, sizeBytes, sha256, pageCount, pageWidth, pageHeight }) => ({
      id,
      title,
      sizeBytes,
      sha256,
      pageCount,
      pageWidth,
      pageHeight,
    })),
    consent: { version, text },
    waitingFor: request.signatures.filter((s) => s.state === "open" && s.id !== own.id).length,
  }
}
