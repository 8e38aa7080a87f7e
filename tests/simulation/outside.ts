import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { MailFailed } from "@paraph/gateways/smtp-failed"
import type { createPlaces } from "@paraph/server/jobs/deliver"
import type { inviteSigner } from "@paraph/server/jobs/invite-signer"
import { hashOf } from "@paraph/server/secrets"
import type { Process } from "./schedule.ts"
import { call, type World } from "./world.ts"

export type WorkerParts = Parameters<typeof inviteSigner>[0]
type DeliveringParts = Parameters<typeof createPlaces>[0]
type Mail = Parameters<WorkerParts["mailer"]["send"]>[0]

/** Mail servers and receivers of calls: they fail, hang, and do what they were asked without anybody hearing of it. */
export function outsideParts(
  world: World,
  process: Process,
  onMail: (signatureId: string) => void,
): Pick<WorkerParts, "mailer" | "mailbox"> & Pick<DeliveringParts, "postCallback" | "postWebhook"> {
  const { random } = world
  const receive = (deliveryId: string): { status: number; retryAfterSeconds?: number } => {
    if (world.schedule.now() < world.faults.until && random.next() < 0.03)
      return random.pick([{ status: 500 }, { status: 503, retryAfterSeconds: random.pick([1, 600, 40_000]) }])
    const isCommitted = world.state.deliveries.has(deliveryId)
    world.records.receipts.push({ at: world.schedule.now(), deliveryId, isCommitted })
    return { status: 200 }
  }
  const failed = () => new OutboundFailed("timeout", "No answer in time.")
  return {
    // No address gets so many mails in a simulated day.
    mailbox: { reserve: () => true, release: () => undefined },
    mailer: {
      close: () => undefined,
      send: (mail: Mail) =>
        call(
          world,
          process,
          "mail",
          `mail ${mail.messageId}`,
          () => deliver(world, mail, onMail),
          notTaken(world, mail),
        ),
    } as unknown as WorkerParts["mailer"],
    postCallback: (id) => call(world, process, "receiver", `callback ${id}`, () => receive(id), failed),
    postWebhook: ({ id }) => call(world, process, "receiver", `event ${id}`, () => receive(id), failed),
  }
}

/** RFC 5321, 4.2: most of what goes wrong passes; now and then there is nobody of that name. */
const notTaken =
  ({ random, records }: World, { messageId }: Mail) =>
  (outcome: string) => {
    if (outcome !== "refused" || random.next() >= 0.05)
      return new MailFailed({ code: "ECONNECTION", responseCode: undefined, command: "", status: null })
    records.refused.add(idOf(messageId))
    return new MailFailed({ code: "EENVELOPE", responseCode: 550, command: "RCPT TO", status: "5.1.1" })
  }

/** Of the job that sends it. */
const idOf = (messageId = ""): string => messageId.slice(1, messageId.indexOf("@"))

function deliver(
  world: World,
  { messageId, thread, to, text }: Mail,
  onMail: (signatureId: string) => void,
): void {
  const requestId = /^<(.+)@/.exec(thread ?? "")?.[1] ?? ""
  const token = /\/sign\/#([\w-]+)/.exec(text)?.[1]
  const hash = token === undefined ? null : Buffer.from(hashOf(token)).toString("base64")
  const signatureId = hash === null ? null : (world.records.links.get(hash) ?? "unknown")
  const isCommitted = world.records.changes.some(({ after }) => after?.id === requestId)
  world.records.mails.push({
    at: world.schedule.now(),
    messageId: idOf(messageId),
    requestId,
    to,
    signatureId,
    isCommitted,
  })
  if (signatureId !== null) onMail(signatureId)
}
