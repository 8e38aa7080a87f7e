import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readDeliveryStatus } from "./delivery-status.ts"
import { DSN, report } from "./testing/reports.ts"

const read = (text: string) => readDeliveryStatus(Buffer.from(text, "latin1"))

describe("a mail that came back", () => {
  it.each([
    ["Postfix: no such user", DSN.postfix, [{ action: "failed", status: "5.1.1" }]],
    ["Exim: no such user", DSN.exim, [{ action: "failed", status: "5.1.1" }]],
    ["Exim: no reason given", DSN.eximWithoutReason, [{ action: "failed", status: "5.0.0" }]],
    ["Exchange: not found, the report in base64", DSN.exchange, [{ action: "failed", status: "5.1.10" }]],
    ["Postfix: given up after days", DSN.expired, [{ action: "failed", status: "4.4.1" }]],
    ["Postfix: delayed", DSN.delayed, [{ action: "delayed", status: "4.4.1" }]],
    ["for an address that is not in ASCII", DSN.global, [{ action: "failed", status: "5.1.1" }]],
    [
      "cut off inside the mail that it returns",
      DSN.postfix.slice(0, -200),
      [{ action: "failed", status: "5.1.1" }],
    ],
    ["with bare line feeds", DSN.postfix.replaceAll("\r\n", "\n"), [{ action: "failed", status: "5.1.1" }]],
    [
      "with a status that is none",
      report("Action: FAILED\r\nStatus: 9.x"),
      [{ action: "failed", status: null }],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await read(text)).toEqual(expected)
  })

  it.each([
    ["a holiday reply", DSN.holiday],
    ["a receipt (RFC 8098)", DSN.receipt],
    ["a complaint (RFC 5965)", DSN.complaint],
    ["a report inside the mail that was returned", DSN.nested],
    ["a report in plain text", "Content-Type: text/plain\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"],
    ["nothing", ""],
    ["no mail at all", "\0\u00ff".repeat(1000)],
  ])("is none: %s", async (_, text) => {
    expect(await read(text)).toEqual([])
  })

  it("is read within limits: recipients, nesting, headers", async () => {
    const block = "Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    expect((await read(report(Array(1000).fill(block).join("\r\n")))).length).toBeLessThanOrEqual(20)
    const deep = Array.from(
      { length: 500 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    )
    expect(await read(deep.join(""))).toEqual([])
    expect(await read(`X: ${"a".repeat(500_000)}\r\n${DSN.postfix}`)).toEqual([])
  })

  it("is read in little time whatever it holds", async () => {
    const piece = fc.constantFrom(
      "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n",
      "Content-Type: message/delivery-status\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "\r\n",
      "\n",
      "--x\r\n",
      "--x--\r\n",
      "Action: failed\r\n",
      "Status: 5.1.1\r\n",
      " ",
      "=?utf-8?q?=00?=",
      "\0",
      ":",
      "a".repeat(500),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        for (const { action, status } of await read(pieces.join(""))) {
          expect(action).toMatch(/^[a-z]{1,20}$/)
          expect(status ?? "5.1.1").toMatch(/^[245]\.\d{1,3}\.\d{1,3}$/)
        }
      }),
      { numRuns: 300 },
    )
    const started = process.cpuUsage()
    await read(report(`${" ".repeat(200_000)}\n`.repeat(1) + "action".repeat(10_000)))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })
})
