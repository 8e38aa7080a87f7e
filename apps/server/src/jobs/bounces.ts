import { LIMITS } from "@paraph/core/limits"
import { noteMailProblem } from "@paraph/core/signature-request/mail"
import { mailProblemOf } from "@paraph/core/signature-request/mail-problem"
import { type BounceListener, listenForBounces } from "@paraph/gateways/bounces"
import type { DeliveryStatus } from "@paraph/gateways/delivery-status"
import type { WorkerParts } from "../worker-parts.ts"

/** Mails that came back, handed over by the operator's mail server; null where nothing is to listen. */
export async function startBounces(parts: WorkerParts, listenAt: string): Promise<BounceListener | null> {
  if (listenAt === "") return null
  const [, host = "", port = ""] = /^\[?(.+?)\]?:(\d+)$/.exec(listenAt) ?? []
  const listener = await listenForBounces({
    host,
    port: Number(port),
    bytesMax: LIMITS.bouncedMailBytes,
    isOurs: (address) => parts.bounceAddresses.signatureOf(address) !== null,
    take: (address, statuses) => takeBounce(parts, address, statuses),
    onError: (error) => parts.log.warn({ error }, "a mail that came back was not taken"),
  })
  parts.log.info({ port: listener.port }, "listening for mails that come back")
  return listener
}

/**
 * RFC 3464, 2.3.3: failed means that nobody will try again, whatever the status says; a mail that is only delayed is still on its
 * way. Of a signature that is gone meanwhile there is nobody to tell.
 */
async function takeBounce(
  parts: WorkerParts,
  address: string,
  statuses: readonly DeliveryStatus[],
): Promise<void> {
  const failed = statuses.find(({ action }) => action === "failed")
  const signatureId = parts.bounceAddresses.signatureOf(address)
  const signer = signatureId === null ? null : await parts.findSigner(signatureId)
  parts.log.info(
    { signatureRequest: signer?.requestId, status: failed?.status, reported: statuses.length },
    "a mail came back",
  )
  if (failed === undefined || signer === null) return
  const problem = mailProblemOf(failed.status)
  await parts.mailLog.bounced(signer.signatureId, problem)
  await noteMailProblem(parts, signer, problem)
}
