import { createConnection } from "node:net"
import { text } from "node:stream/consumers"
import { createTransport } from "nodemailer"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { type BounceListener, listenForBounces } from "./bounce-listener.ts"
import type { DeliveryStatus } from "./delivery-status.ts"
import { DSN } from "./testing/reports.ts"

const OURS = "bounces+ours@sign.example.org"
const taken: [address: string, statuses: readonly DeliveryStatus[]][] = []
let isDown = false
let listener: BounceListener

beforeAll(async () => {
  listener = await listenForBounces({
    host: "127.0.0.1",
    port: 0,
    bytesMax: 20_000,
    isOurs: (address) => address === OURS,
    take: async (address, statuses) => {
      if (isDown) throw new Error("The database is away.")
      taken.push([address, statuses])
    },
    onError: () => undefined,
  })
})
afterAll(() => listener.close())
beforeEach(() => {
  taken.length = 0
  isDown = false
})

const send = (to: string | string[], raw: string) => {
  const transport = createTransport({ host: "127.0.0.1", port: listener.port, ignoreTLS: true })
  return transport.sendMail({ envelope: { from: "", to }, raw }).finally(() => transport.close())
}

it("takes a report to an address of ours, from the empty sender", async () => {
  await send(OURS, DSN.postfix)
  expect(taken).toEqual([[OURS, [{ action: "failed", status: "5.1.1" }]]])
})

it("knows no other address, and only one at a time", async () => {
  await expect(send("bounces+forged@sign.example.org", DSN.postfix)).rejects.toMatchObject({
    responseCode: 550,
  })
  // The second recipient is refused; the first one's mail is taken.
  await send([OURS, OURS.replace("ours", "theirs")], DSN.postfix)
  expect(taken.length).toBe(1)
})

it("looks at the beginning of a mail that came back whole, and lets the rest pass", async () => {
  await send(OURS, `${DSN.postfix}${"x".repeat(70)}\r\n${`${"y".repeat(70)}\r\n`.repeat(50_000)}`)
  expect(taken).toEqual([[OURS, [{ action: "failed", status: "5.1.1" }]]])
})

it("asks the mail server to come again when it cannot be kept", async () => {
  isDown = true
  await expect(send(OURS, DSN.postfix)).rejects.toMatchObject({ responseCode: 451 })
  isDown = false
  await send(OURS, DSN.postfix)
  expect(taken.length).toBe(1)
})

it("outlives clients that speak something else, or go away", async () => {
  for (const words of [
    "GET / HTTP/1.1\r\n\r\n",
    "\0\0\0\r\n".repeat(2000),
    `MAIL FROM:<${"a".repeat(100_000)}>\r\n`,
  ]) {
    const socket = createConnection(listener.port, "127.0.0.1")
    socket.end(words)
    await text(socket).catch(() => "")
  }
  await send(OURS, DSN.postfix)
  expect(taken.length).toBe(1)
})
