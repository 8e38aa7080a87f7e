import { once } from "node:events"
import { SMTPServer, type SMTPServerDataStream } from "smtp-server"
import { type DeliveryStatus, readDeliveryStatus } from "./delivery-status.ts"

export type BounceListener = { readonly port: number; readonly close: () => Promise<void> }

export type BounceListening = {
  readonly host: string
  readonly port: number
  /** How much of a mail is looked at: the report comes before the mail that it returns. */
  readonly bytesMax: number
  /** Whether an address is one that we gave to a mail of ours. */
  readonly isOurs: (address: string) => boolean
  /** The mail is acknowledged when this has come to its end; where it fails, the mail server tries again. */
  readonly take: (address: string, statuses: readonly DeliveryStatus[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

const MAIL_BYTES_MAX = 60_000_000
const TRY_LATER = Object.assign(new Error("4.3.0 Try again later."), { responseCode: 451 })
const UNKNOWN = Object.assign(new Error("5.1.1 There is no such address."), { responseCode: 550 })

/**
 * Takes mails that came back from the operator's mail server, by SMTP. It has no accounts: who may connect is the
 * operator's network, and what it believes is decided by the address, which nobody can make up.
 */
export async function listenForBounces(listening: BounceListening): Promise<BounceListener> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    banner: "Paraph",
    size: MAIL_BYTES_MAX,
    maxClients: 20,
    socketTimeout: 60_000,
    closeTimeout: 5_000,
    onRcptTo: ({ address }, session, done) => {
      // One mail of ours had one recipient; so has what comes back.
      const isFirst = session.envelope.rcptTo.length === 0
      done(isFirst && listening.isOurs(address) ? null : UNKNOWN)
    },
    onData: (stream, session, done) => {
      const address = session.envelope.rcptTo[0]?.address ?? ""
      beginningOf(stream, listening.bytesMax)
        .then(async (message) => listening.take(address, await readDeliveryStatus(message)))
        .then(
          () => done(),
          (error: unknown) => {
            listening.onError(error)
            done(TRY_LATER)
          },
        )
    },
  })
  // Clients that go away, and those that do not speak SMTP.
  server.on("error", () => undefined)
  server.listen(listening.port, listening.host)
  await once(server.server, "listening")
  const address = server.server.address()
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A mail may come back whole, with all that was attached; the rest of it passes by. */
async function beginningOf(stream: SMTPServerDataStream, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let room = bytesMax
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (room <= 0) continue
    pieces.push(piece.subarray(0, room))
    room -= piece.length
  }
  return Buffer.concat(pieces)
}
