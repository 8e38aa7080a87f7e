export type Failure = {
  readonly code: string
  /** SMTP's reply (RFC 5321, 4.2.1): 4xx passes, 5xx does not. */
  readonly responseCode: number | undefined
  /** The command that was answered so; empty when there was no answer. */
  readonly command: string
  /** The enhanced status code, such as 5.1.1 (RFC 3463). */
  readonly status: string | null
}

/** The mail was not taken. */
export class MailFailed extends Error {
  readonly code: string
  readonly responseCode: number | undefined
  readonly status: string | null
  /** What the mail server will not change its mind about; null where another attempt may go better. */
  readonly forGood: "recipient" | "size" | null

  constructor(failure: Failure) {
    const { code, responseCode, status } = failure
    super(`The mail server did not take the mail: ${code} ${responseCode ?? ""}`.trim())
    this.name = "MailFailed"
    this.code = code
    this.responseCode = responseCode
    this.status = status
    this.forGood = forGood(failure)
  }
}

/** RFC 5321, 4.2.3, and RFC 7504 (521, 556). 530, 535, 503 and the like are about us. */
const ABOUT_THE_MAIL = new Set([501, 521, 550, 551, 552, 553, 554, 556])

/**
 * An answer to the recipient or to the message is about them; one to our greeting, our login or our sender is about the
 * configuration, which somebody will mend. So may be "relay access denied" (5.7.x) and a protocol error (5.5.x, RFC 3463).
 */
function forGood({ responseCode, command, status }: Failure): "recipient" | "size" | null {
  if (responseCode === undefined || !ABOUT_THE_MAIL.has(responseCode)) return null
  if (command !== "RCPT TO" && command !== "DATA") return null
  if (responseCode === 552 || status === "5.3.4") return status === "5.2.2" ? "recipient" : "size"
  return status !== null && /^5\.[57]\./.test(status) ? null : "recipient"
}
