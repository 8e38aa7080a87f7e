import * as signatureRequest from "@paraph/contract/v3/signature-request"
import { NewVouch, readVouch, VouchParams } from "@paraph/contract/v3/vouch"
import { vouchForSigner } from "@paraph/core/release/vouch"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

/** A member of the business states who a signer is, after checking it in person (ADR 0090). v3 alone. */
export function vouches(app: FastifyInstance, parts: Parts): void {
  const schema = {
    params: VouchParams,
    operationId: "vouchForSigner",
    summary: "Vouch for the identity of a signer",
    description:
      "For advanced signatures. The caller is a member who logged in with a second factor, has met the signer, and is neither the sender nor the signer. An API key cannot vouch.",
    body: NewVouch,
    response: { 200: signatureRequest.SignatureRequest },
    problems: [403, 404, 409],
  }
  app.put<{ Params: VouchParams; Body: NewVouch }>(
    "/signature-requests/:id/signatures/:sid/vouch",
    { schema },
    async ({ caller, params, body }) =>
      signatureRequest.writeSignatureRequest(
        await vouchForSigner(parts, caller, readVouch(params, body)),
        parts.addresses,
      ),
  )
}
