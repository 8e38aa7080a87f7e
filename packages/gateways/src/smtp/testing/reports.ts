// Reports as mail systems write them, with addresses of the examples; the words are shortened.

const lines = (...each: readonly string[]) => `${each.join("\r\n")}\r\n`

/** A whole `multipart/report` around what it says about a recipient. */
export const report = (recipient: string, type = "message/delivery-status", encoding = ""): string =>
  lines(
    "Return-Path: <>",
    "From: MAILER-DAEMON@mx.example.org (Mail Delivery System)",
    "Subject: Undelivered Mail Returned to Sender",
    "To: bounces@sign.example.org",
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary="4F2A.17/mx.example.org"',
    "",
    "This is a MIME-encapsulated message.",
    "",
    "--4F2A.17/mx.example.org",
    "Content-Description: Notification",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    "I'm sorry to have to inform you that your message could not be delivered.",
    "Action: delivered",
    "Status: 2.0.0",
    "",
    "--4F2A.17/mx.example.org",
    `Content-Type: ${type}`,
    ...(encoding === "" ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
    "",
    encoding === "base64" ? Buffer.from(block(recipient)).toString("base64") : block(recipient),
    "--4F2A.17/mx.example.org",
    "Content-Type: text/rfc822-headers",
    "",
    "From: Paraph <no-reply@sign.example.org>",
    "To: nobody@example.org",
    "Subject: Acme AG asks you to sign: Contract",
    `X-Padding: ${"x".repeat(300)}`,
    "",
    "--4F2A.17/mx.example.org--",
  )

const block = (recipient: string): string =>
  lines("Reporting-MTA: dns; mx.example.org", "Arrival-Date: Sun, 15 Nov 2026 11:00:00 +0000", "", recipient)

const other = (type: string, part: string): string =>
  lines(
    "From: ada@example.org",
    "Auto-Submitted: auto-replied",
    `Content-Type: ${type}; boundary=b`,
    "",
    "--b",
    part,
    "--b--",
  )

export const DSN = {
  postfix: report(
    lines(
      "Final-Recipient: rfc822; nobody@example.org",
      "Original-Recipient: rfc822;nobody@example.org",
      "Action: failed",
      "Status: 5.1.1",
      "Remote-MTA: dns; mx2.example.org",
      "Diagnostic-Code: smtp; 550 5.1.1 <nobody@example.org>: Recipient address",
      "    rejected: User unknown",
    ),
  ),
  exim: report(
    lines(
      "Action: failed",
      "Final-Recipient: rfc822;nobody@example.org",
      "Status: 5.0.0",
      "Remote-MTA: dns; 127.0.0.1",
      "Diagnostic-Code: smtp; 550 5.1.1 <nobody>: User unknown in virtual mailbox table",
    ),
  ),
  eximWithoutReason: report(lines("Action: failed", "Status: 5.0.0", "Diagnostic-Code: smtp; 550 go away")),
  exchange: report(
    lines("Final-Recipient: rfc822;nobody@example.org", "Action: failed", "Status: 5.1.10"),
    "message/delivery-status",
    "base64",
  ),
  expired: report(lines("Final-Recipient: rfc822; a@example.org", "Action: failed", "Status: 4.4.1")),
  delayed: report(lines("Final-Recipient: rfc822; a@example.org", "Action: delayed", "Status: 4.4.1")),
  global: report(
    lines("Final-Recipient: utf-8; \u00e4da@example.org", "Action: failed", "Status: 5.1.1"),
    "message/global-delivery-status",
  ),
  holiday: lines(
    "From: ada@example.org",
    "Subject: I am away",
    "Auto-Submitted: auto-replied",
    "Content-Type: text/plain",
    "",
    "Action: failed",
    "Status: 5.1.1",
  ),
  receipt: other(
    "multipart/report; report-type=disposition-notification",
    lines(
      "Content-Type: message/disposition-notification",
      "",
      "Final-Recipient: rfc822; ada@example.org",
      "Disposition: manual-action/MDN-sent-manually; displayed",
    ),
  ),
  complaint: other(
    "multipart/report; report-type=feedback-report",
    lines("Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Action: failed"),
  ),
  /** Somebody forwards a report: what is said there is about another mail. */
  nested: other(
    "multipart/mixed",
    lines("Content-Type: message/rfc822", "", report(lines("Action: failed", "Status: 5.1.1"))),
  ),
} as const
