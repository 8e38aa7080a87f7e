import type { Logo } from "@paraph/core/branding/model"
import { shadesOf } from "@paraph/core/branding/shades"
import type { Mail } from "@paraph/gateways/smtp"
import type { MailBrand } from "@paraph/mail/brand"
import type { WorkerParts } from "../worker-parts.ts"

export type BrandedMail = {
  /** How the business calls itself in its mails. */
  readonly sender: string
  /** Whom the mail comes from: nobody passes for somebody else without their own name beside it. */
  readonly from: string
  readonly brand: MailBrand | null
  /** The logo, as a part of the mail; none where there is no logo. */
  readonly attachments: NonNullable<Mail["attachments"]>
}

/** Of the name of a sender in the head of a mail, which is cut beyond. */
const HALF = 36

/** How the mails of a business look; of one that has said nothing, as ours do. */
export async function mailBrand(
  parts: Pick<WorkerParts, "brandOf" | "logoOf" | "publicUrl">,
  businessId: string,
): Promise<BrandedMail> {
  const { name, accent, logoId, senderName } = await parts.brandOf(businessId)
  const sender = senderName ?? name
  const logo = logoId === null ? null : await parts.logoOf(businessId)
  if (accent === null && logo === null && sender === name)
    return { sender, from: sender, brand: null, attachments: [] }
  const contentId = `logo@${new URL(parts.publicUrl).hostname}`
  return {
    sender,
    from: sender === name ? name : `${sender.slice(0, HALF)} (${name.slice(0, HALF)})`,
    brand: {
      shades: accent === null ? null : shadesOf(accent),
      logo: logo === null ? null : { contentId, name: sender, width: logo.width, height: logo.height },
      business: sender === name ? null : name,
    },
    attachments: logo === null ? [] : [inline(logo, contentId)],
  }
}

const inline = ({ png }: Logo, contentId: string) => ({
  filename: "logo.png",
  contentType: "image/png",
  contentId,
  // Read anew by each attempt to send it.
  content: {
    async *[Symbol.asyncIterator]() {
      yield png
    },
  },
})
