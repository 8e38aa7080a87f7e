/**
 * Why a mail cannot be delivered, in words of ours: those of the mail server are a stranger's, and they may repeat the
 * address. `status` is the enhanced status code (RFC 3463), such as 5.1.1; null when there is none.
 */
export function mailProblemOf(status: string | null): string {
  if (status === null) return "The mail was refused."
  const [, subject = "", detail = ""] = status.split(".")
  return `${status} ${DETAILS[`${subject}.${detail}`] ?? SUBJECTS[subject] ?? "The mail was refused."}`
}

/** No mail server took it in the time that we try (choice 47). */
export const NOBODY_TOOK_IT = "No mail server took the mail within 72 hours."

/** All businesses together have written to the address as often as they may within a day; given up if that lasts for 72 hours. */
export const MAILBOX_FULL = "This address has had as many mails today as one may get."

/** What the sender sees where a gateway for text messages will never reach somebody. */
export const NUMBER_NOT_REACHED = "No SMS reaches this mobile number."

/** RFC 3463, 3.2 to 3.8: what the middle number is about. */
const SUBJECTS: Readonly<Record<string, string>> = {
  1: "There is something wrong with the address.",
  2: "There is something wrong with the mailbox.",
  3: "The mail system of the recipient cannot take the mail.",
  4: "The mail system of the recipient cannot be reached.",
  5: "The mail systems did not understand each other.",
  6: "The mail system of the recipient does not take the content.",
  7: "The mail system of the recipient does not accept the mail.",
}

const DETAILS: Readonly<Record<string, string>> = {
  "1.1": "The mailbox does not exist.",
  "1.2": "The domain of the address does not exist.",
  "1.3": "The address is not valid.",
  "1.6": "The mailbox has moved.",
  "1.10": "The domain of the address takes no mail.",
  "2.1": "The mailbox is closed.",
  "2.2": "The mailbox is full.",
  "3.4": "The mail is too large for the recipient.",
  "4.4": "No mail system is known for the address.",
  "4.7": "The mail could not be delivered in time.",
}
