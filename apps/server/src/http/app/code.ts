import { askForCode, checkSignerCode } from "@paraph/core/signature-request/signer-code"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { siteOf } from "../network.ts"
import { mustBeShown, mustBeSigner } from "./session.ts"
import { writeView } from "./view.ts"

/** Spaces and a hyphen, as people copy it out of a message. */
const CheckBody = Type.Object({ code: Type.String({ maxLength: 20, pattern: "^[\\s-]*(\\d[\\s-]*){6}$" }) })

/** URL-07: who came by the address of a preview proves the mailbox, or the telephone, by a code, and may act from then on. */
export function code(app: FastifyInstance, parts: Parts): void {
  app.post("/app/api/signature/code", { bodyLimit: 1024 }, async (request, reply) => {
    const signer = await mustBeShown(parts, request)
    await askForCode(parts, signer, siteOf(request.ip))
    return reply.code(202).send(await writeView(parts, request, signer))
  })

  app.post<{ Body: { code: string } }>(
    "/app/api/signature/code/check",
    { bodyLimit: 1024, schema: { body: CheckBody } },
    async (request) => {
      const signer = await mustBeShown(parts, request)
      await checkSignerCode(parts, signer, request.body.code.replaceAll(/\D/g, ""))
      return writeView(parts, request, await mustBeSigner(parts, request))
    },
  )
}
