import { stackSettings } from "./settings.ts"
import { until } from "./until.ts"

export type ReceivedMail = {
  readonly id: number
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  /** The sender of the envelope: where the mail would come back to. */
  readonly returnTo: string
}

/** What the mail server of the stack has taken for one address, the oldest first. */
export async function mailsTo(address: string): Promise<readonly ReceivedMail[]> {
  const response = await fetch(`${stackSettings().MAILBOX_URL}/mails.json?to=${encodeURIComponent(address)}`)
  return (await response.json()) as ReceivedMail[]
}

/** Waits for the mail to come, as its reader does, and takes the newest link out of it. */
export const linkMailedTo = (address: string): Promise<string> =>
  until(`a mail with a link comes to ${address}`, async () =>
    (await mailsTo(address)).flatMap((mail) => linkIn(mail) ?? []).at(-1),
  )

export const linkIn = (mail: ReceivedMail | undefined) => /http\S+\/sign\/\S+/.exec(mail?.text ?? "")?.[0]

/** The bytes of the mail, as the mail server took them. */
export async function rawMail({ id }: ReceivedMail): Promise<Buffer> {
  const response = await fetch(`${stackSettings().MAILBOX_URL}/mails/${id}.eml`)
  if (response.status !== 200) throw new Error(`The mailbox answered ${response.status}.`)
  return Buffer.from(await response.arrayBuffer())
}

/** Waits until that many mails have come to the address; the oldest first. */
export const mailsComeTo = (address: string, count = 1): Promise<readonly ReceivedMail[]> =>
  until(`${count} mails come to ${address}`, async () => {
    const mails = await mailsTo(address)
    return mails.length >= count && mails
  })
