// What services beside ours answer: mail servers, the scanner, the SMS gateway, the key server, somebody else's authority. The client
// that carries answers is handed one from memory; what reads it is the product's own.

import { IssuingFailed } from "@paraph/gateways/issuing-ca/failed"
import { KeyEncryptionFailed } from "@paraph/gateways/key-encryption-failed"
import { ScannerFailed } from "@paraph/gateways/scanner-failed"
import { createSendSms } from "@paraph/gateways/sms"
import { SmsFailed } from "@paraph/gateways/sms-failed"
import { readCertificate } from "@paraph/pki/certificate"
import { enroll } from "../../../packages/gateways/src/issuing-ca/est-call.ts"
import { transitKeyEncryption } from "../../../packages/gateways/src/key-encryption/transit.ts"
import type { Answer, Outbound } from "../../../packages/gateways/src/outbound/outbound.ts"
import { readVerdict, readVersion } from "../../../packages/gateways/src/scanner/answer.ts"
import { readDeliveryStatus } from "../../../packages/gateways/src/smtp/delivery-status.ts"
import { sampleMarks, sampleWorld } from "../sample-pki.ts"
import { must, type Target } from "../target.ts"
import { coded, firstLine, inText, json, Nothing, texts } from "../texts.ts"
import { besideFile } from "../with-file.ts"

/** The client that everything leaves by, with one answer to all. */
function answering(answer: Answer): Outbound {
  return {
    request: async () => answer,
    open: async () => {
      throw new RangeError("Nobody asks for a stream here.")
    },
  }
}

const REPORT = [
  "Return-Path: <>",
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "It could not be delivered.",
  "--b",
  "Content-Type: message/delivery-status",
  "",
  "Reporting-MTA: dns; mail.example",
  "",
  "Final-Recipient: rfc822; ada@example.org",
  "Action: failed",
  "Status: 5.0.0",
  "Diagnostic-Code: smtp; 550 5.1.1 unknown",
  "",
  "Final-Recipient: rfc822; bob@example.org",
  "Action: Delayed",
  "Status: 4.4.1",
  "--b--",
  "",
].join("\r\n")

export const deliveryStatuses: Target = {
  name: "delivery-status",
  kind: "words",
  words: [
    ...[
      "Action: failed",
      "Status: 5.1.1",
      "Status: 9.1.1",
      "\r\n\r\n",
      "--b\r\n",
      "--b--",
      "multipart/report;",
      "Action:delivered",
    ],
    ...[
      "message/delivery-status",
      "message/global-delivery-status",
      "message/rfc822",
      "boundary=",
      "Diagnostic-Code: smtp; 550 5.1.1",
    ],
    "Content-Transfer-Encoding: base64",
  ],
  seeds: () =>
    texts(
      REPORT,
      REPORT.replaceAll("\r\n", "\n"),
      REPORT.replace("multipart/report", "multipart/mixed"),
      "Subject: x\n\nhi",
    ),
  refusals: [Nothing],
  run: async (input) => {
    const found = await readDeliveryStatus(input)
    must(found.length <= 21, "recipients are bounded")
    const text = Buffer.from(input).toString("latin1")
    for (const { action, status } of found) {
      must(/^[a-z]{1,20}$/.test(action), "an action is a word in small letters")
      must(status === null || /^[245]\.\d{1,3}\.\d{1,3}$/.test(status), "a status is one of RFC 3463")
    }
    if (found.length === 0) throw new Nothing("says nothing about delivery")
    must(/multipart\/report/i.test(text), "only a report says anything about delivery")
    const again = await readDeliveryStatus(input)
    must(JSON.stringify(again) === JSON.stringify(found), "it says the same again")
    return found
      .map(({ action, status }) => `${KNOWN.includes(action)} ${status?.[0] ?? "-"}`)
      .slice(0, 3)
      .join()
  },
}

const KNOWN = ["failed", "delayed", "delivered", "relayed", "expanded"]

export const scannerAnswers: Target = {
  name: "scanner-answer",
  kind: "words",
  words: [
    "stream: ",
    "OK",
    "FOUND",
    " FOUND\0",
    "\0",
    "ERROR",
    "Heuristics.Limits.Exceeded",
    "INSTREAM size limit exceeded",
    "ClamAV 1.4.6/27500/",
  ],
  seeds: () =>
    texts(
      ...[
        "stream: OK\0",
        "stream: Eicar-Test-Signature FOUND\0",
        "stream: Heuristics.Limits.Exceeded.MaxScanTime FOUND\0",
      ],
      ...[
        "INSTREAM size limit exceeded. ERROR\0",
        "",
        "ClamAV 1.4.6/27500/Sun Nov 15 07:30:00 2026\0",
        "ClamAV 1.4.6\0",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const answer = Buffer.from(input).toString("latin1")
    const { engine, signaturesFrom } = readVersion(answer)
    must(!/[\0/]/.test(engine) && engine.length <= 67, "the name of an engine is bounded")
    must(signaturesFrom === null || !Number.isNaN(signaturesFrom.getTime()), "their time is a time")
    const verdict = coded(ScannerFailed, () => readVerdict(answer))
    must(verdict.clean === (answer === "stream: OK\0"), "one answer means clean, and no other does")
    if (!verdict.clean) must(/^[\x20-\x7e]{1,300}$/.test(verdict.finding), "a finding can be printed")
    return `${verdict.clean}`
  },
}

const send = (body: Uint8Array, status: number) =>
  createSendSms(answering({ status, headers: {}, body }), {
    url: "https://sms.example",
    token: "t",
    sender: "",
  })

export const smsAnswers: Target = {
  name: "sms-answer",
  kind: "json",
  words: ["id"],
  seeds: () => [
    json({ id: "m-1" }),
    json({ id: 5 }),
    json({ id: "a b" }),
    json({ id: "x".repeat(200) }),
    ...texts("<html>OK</html>"),
  ],
  refusals: [SmsFailed],
  run: async (input) => {
    const sms = { to: "+41791234567", text: "123456", reference: "r1" }
    for (const status of [422, 500, 301])
      must(
        await send(
          input,
          status,
        )(sms).then(
          () => false,
          (error) => error instanceof SmsFailed,
        ),
        "only 2xx is a yes",
      )
    const { id } = await send(input, 200)(sms)
    must(/^[\x21-\x7e]{1,200}$/.test(id), "an id can be printed")
    must(JSON.parse(inText(input)).id === id, "it is the one that was answered")
    return `${Math.min(3, id.length)}`
  },
}

const TOKEN_FILE = besideFile("token", "s.token\n")
const SECRET = Buffer.alloc(32, 9)
const WRAPPED = Buffer.from("vault:v1:AAAA")

export const transitAnswers: Target = {
  name: "transit-answer",
  kind: "json",
  words: [
    "data",
    "errors",
    "plaintext",
    "ciphertext",
    "vault:v1:AAAA",
    "encryption key not found",
    "invalid ciphertext",
    "vault:v0:AAAA",
  ],
  seeds: () => [
    json({ data: { plaintext: SECRET.toString("base64") } }),
    json({ data: { ciphertext: "vault:v3:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==" } }),
    json({ errors: ["cipher: message authentication failed"] }),
    json({ data: null }),
    json({ data: [] }),
  ],
  refusals: [KeyEncryptionFailed],
  run: async (input) => {
    const outbound = answering({ status: 200, headers: {}, body: input })
    const settings = {
      address: "https://bao.example",
      mount: "transit",
      key: "k",
      tokenFile: TOKEN_FILE,
      outbound,
    }
    const { wrap, unwrap } = transitKeyEncryption(settings)
    const told = await wrap(SECRET, "c").then(inText, (error: unknown) => mustBe(error))
    if (told !== null)
      must(/^vault:v[1-9]\d*:[A-Za-z0-9+/]+=*$/.test(told), "a wrapped key is one of transit")
    if (told !== null) must(JSON.parse(inText(input)).data.ciphertext === told, "as it was answered")
    const key = await unwrap(WRAPPED, "c").catch((error: unknown) => mustBe(error))
    if (told === null && key === null) throw new KeyEncryptionFailed("down", "neither")
    if (key !== null) {
      const { plaintext } = JSON.parse(inText(input)).data
      must(
        Buffer.from(key).toString("base64") === plaintext,
        "a key is the octets that were answered, and no guess",
      )
    }
    return `${told !== null} ${key?.length === 32}`
  },
}

function mustBe(error: unknown): null {
  if (error instanceof KeyEncryptionFailed) return null
  throw error
}

/** A first line with the status and Retry-After, and the body below. */
export const estAnswers: Target = {
  name: "est-answer",
  kind: "words",
  words: ["200 ", "202 60", "202 ", "429 5", "500 ", "99999999999", "-1", "=", "==", "\r\n"],
  seeds: async () => {
    const [mark = new Uint8Array()] = await sampleMarks(await sampleWorld())
    const certificates = Buffer.from(mark).toString("base64")
    const lines = certificates.replace(/.{64}/g, "$&\r\n")
    return texts(
      `200 \n${certificates}`,
      `200 \n${lines}`,
      "202 120\n",
      "202 soon\n",
      "503 7\n",
      "401 \n",
      "200 \nAAAA",
    )
  },
  refusals: [IssuingFailed],
  run: async (input) => {
    const [head, body] = firstLine(input)
    const [, status = "200", retry] = /^(\d{3}) ?(.*)$/.exec(head) ?? []
    const headers = retry === undefined || retry === "" ? {} : { "retry-after": retry }
    const outbound = answering({ status: Number(status), headers, body })
    const server = { outbound, url: "https://ca.example", label: null, login: null }
    const enrolled = await enroll(server, new Uint8Array(3)).catch((error: unknown) => {
      if (error instanceof IssuingFailed) mustBePatience(error.retryAfterSeconds)
      throw error
    })
    if ("retryAfterSeconds" in enrolled) {
      must(status === "202", "only 202 asks for patience")
      mustBePatience(enrolled.retryAfterSeconds)
      return "patience"
    }
    const { certificates } = enrolled
    const sent = Buffer.from(inText(body), "base64")
    must(certificates.length > 0 && status === "200", "an answer has certificates")
    for (const { der } of certificates) {
      must(sent.includes(Buffer.from(der)), "a certificate is one of those that were sent")
      readCertificate(der)
    }
    return `${certificates.length}`
  },
}

function mustBePatience(seconds: number | undefined): void {
  must(seconds === undefined || (seconds >= 1 && seconds <= 86_400), "patience has an end, and is no hurry")
}
