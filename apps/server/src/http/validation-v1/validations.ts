import { IdParams } from "@paraph/contract/shared/fields"
import * as v from "@paraph/contract/validation-v1/validation"
import { LIMITS } from "@paraph/core/limits"
import { readValidation, removeValidation } from "@paraph/core/validation/read"
import { validateDocument } from "@paraph/core/validation/validate"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { takesUploads, type Upload } from "../documents/upload.ts"

type Validate = { Querystring: v.ValidateQuery; Body: v.ValidateBody }

/** Part 8: the file, its Base64 and the whole request, 50 MB each. */
const DOCUMENT: Upload = {
  maxBytes: LIMITS.validationBytes,
  maxBase64Bytes: LIMITS.validationBytes,
  maxBodyBytes: LIMITS.validationBytes,
  tooLarge: "pdf-too-large",
}

/** Decisions, "validate", "lifetime". */
export function validations(app: FastifyInstance, parts: Parts): void {
  app.register(async (scope) => {
    takesUploads(scope, parts, ["json", "multipart"], DOCUMENT)
    scope.post<Validate>(
      "/validate/document",
      {
        config: { rate: "validate", answerAgain: (request, made) => answerAgain(parts, request, made) },
        schema: {
          operationId: "validateDocument",
          summary: "Validate the signatures of a PDF",
          description:
            "The document is not kept. The result can be read for ten minutes. A bad signature is an answer like any other.",
          querystring: v.ValidateQuery,
          body: v.ValidateBody,
          response: { 200: v.Validation },
        },
      },
      async ({ caller, query, body, received }) => {
        const held = v.readContent(body, received)
        const validation = await validateDocument(parts, caller, held, v.readAsked(query))
        return v.writeValidation(validation, query, parts.sayReason)
      },
    )
  })

  app.delete<{ Params: { id: string } }>(
    "/validate/:id",
    {
      schema: {
        operationId: "deleteValidation",
        summary: "Delete the result of a validation",
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ caller, params }, reply) => {
      await removeValidation(parts, caller, params.id.toLowerCase())
      return reply.code(204).send()
    },
  )
}

/** Whoever validated died before it could answer: the result is there, for ten minutes. */
async function answerAgain(parts: Parts, request: FastifyRequest, made: string): Promise<v.Validation> {
  const validation = await readValidation(parts, request.caller, made.slice("validations/".length))
  return v.writeValidation(validation, request.query as v.ValidateQuery, parts.sayReason)
}
