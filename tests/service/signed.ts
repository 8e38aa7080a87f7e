import { randomUUID } from "node:crypto"
import type { Json } from "./api.ts"
import { linkMailedTo } from "./mailbox.ts"
import type { Service } from "./service.ts"
import { openSession } from "./signer.ts"
import { until } from "./until.ts"

/** An OPEN request for a document that is there already, with one signer who has not come yet. */
export async function sendForSignature(service: Service, documentId: string) {
  const signer = `signer-${randomUUID()}@example.org`
  const { status, body } = await service.caller.post("/v2/signature-requests", {
    title: "Contract",
    document_id: documentId,
    signatures: [{ account_email: signer }],
  })
  if (status !== 200) throw new Error(`The request answered ${status}: ${body.message}`)
  return { id: body.id as string, signer }
}

/** The signer comes and signs; answers the request as it is then, with the signed document in it. */
export async function signBy(service: Service, id: string, signer: string): Promise<Json> {
  const session = await openSession(service.url, await linkMailedTo(signer))
  await session.press("Ada Lovelace")
  return until("the request is signed", async () => {
    const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
    return body.status_overall === "SIGNED" && body
  })
}
