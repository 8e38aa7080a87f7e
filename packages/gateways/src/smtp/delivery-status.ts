import PostalMime from "postal-mime"

/** What a mail system says about one recipient of a mail of ours (RFC 3464, 2.3). */
export type DeliveryStatus = {
  /** failed, delayed, delivered, relayed or expanded, in lower case. */
  readonly action: string
  /** Such as 5.1.1 (RFC 3463); null where it is not one. */
  readonly status: string | null
}

const LIMITS = { maxNestingDepth: 8, maxHeadersSize: 65_536, maxRfc822NestingDepth: 0 }
const RECIPIENTS_MAX = 20

/**
 * RFC 3464: the delivery status of a `multipart/report`. Anything else, such as the reply of somebody on holiday, says nothing about
 * delivery: then there are none. The words of the report, and the mail that it returns, are not looked at.
 */
export async function readDeliveryStatus(message: Uint8Array): Promise<readonly DeliveryStatus[]> {
  const { headers, attachments } = await PostalMime.parse(message, LIMITS).catch(() => NOT_A_MAIL)
  const type = headers.find(({ key }) => key === "content-type")?.value ?? ""
  if (!/^\s*multipart\/report\s*;/i.test(type)) return []
  // RFC 6533, 3: `global` is the same for addresses that are not in ASCII.
  const report = attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/i.test(mimeType))
  return report === undefined ? [] : recipientsIn(textOf(report.content))
}

const NOT_A_MAIL = { headers: [], attachments: [] }

function textOf(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === "string" ? content : new TextDecoder("latin1").decode(content)
}

/** The first block is about the mail, each further one about one recipient; blank lines are between them (2.1). */
function recipientsIn(report: string): readonly DeliveryStatus[] {
  const blocks = report.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/, RECIPIENTS_MAX + 1)
  return blocks.flatMap((block) => {
    const action = /^action[ \t]*:[ \t]*([a-z]{1,20})\b/im.exec(block)?.[1]?.toLowerCase()
    if (action === undefined) return []
    return [{ action, status: statusIn(block) }]
  })
}

/** Exim says 5.0.0, "other", and leaves the reason to the words of the mail server that refused (2.3.6). */
function statusIn(block: string): string | null {
  const status = /^status[ \t]*:[ \t]*([245]\.\d{1,3}\.\d{1,3})\b/im.exec(block)?.[1] ?? null
  if (status !== null && !status.endsWith(".0.0")) return status
  const told = /^diagnostic-code[ \t]*:[ \t]*smtp[ \t]*;[ \t]*\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/im.exec(
    block,
  )
  return told?.[1] ?? status
}
