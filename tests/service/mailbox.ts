import { stackSettings } from "./settings.ts"
import { until } from "./until.ts"

export type ReceivedMail = {
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the mail server of the stack has taken for one address, the oldest first. */
export async function mailsTo(address: string): Promise<readonly ReceivedMail[]> {
  const response = await fetch(`${stackSettings().MAILBOX_URL}/mails.json?to=${encodeURIComponent(address)}`)
  return (await response.json()) as ReceivedMail[]
}

/** Waits for the mail to come, as its reader does, and takes the link out of it. */
export const linkMailedTo = (address: string): Promise<string> =>
  until(`a mail with a link comes to ${address}`, async () => linkIn((await mailsTo(address)).at(-1)))

export const linkIn = (mail: ReceivedMail | undefined) => /http\S+\/sign\/\S+/.exec(mail?.text ?? "")?.[0]
