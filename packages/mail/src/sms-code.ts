import type { Language } from "@paraph/core/language"
import { oneLine } from "./foreign-words.ts"
import { inGsmLetters, septetsOf } from "./gsm.ts"
import { SMS_WORDS } from "./words/sms-words.ts"

export type SmsCode = {
  readonly language: Language
  readonly purpose: "mailbox" | "release"
  readonly sender: string
  readonly demo: boolean
  /** Six digits. */
  readonly code: string
}

/** In septets: so long that one message holds it all, in every language. */
const NAME_MAX = 30

/**
 * The text message with a code. The code comes first, so that it can be read from a notification and found by a telephone that fills it
 * in; and there is no link, because a message with a code and a link is what impostors send.
 */
export function smsCode({ language, purpose, sender, demo, code }: SmsCode): string {
  const words = SMS_WORDS[language]
  const said = words[purpose](code, nameIn(sender) || words.sender)
  return `${said} ${words.nobody}${demo ? " (TEST)" : ""}`
}

/**
 * Telephones make a link of whatever looks like an address: a name with a dot in it loses the dot. In the letters of the message, since
 * many marks of Unicode become a dot or a slash there.
 */
function nameIn(sender: string): string {
  const name = inGsmLetters(inGsmLetters(oneLine(sender)).replaceAll(/[.:@/\\]+(?=\S)/g, " "))
  // A company that is left with a mark or a lonely letter is not known by it.
  if (!/[A-Za-z0-9].*[A-Za-z0-9]/.test(name)) return ""
  // The sentence ends with a full stop of its own.
  return shortened(name).replace(/[\s.]+$/, "")
}

/** Some letters count twice. */
function shortened(name: string): string {
  let short = name.slice(0, NAME_MAX)
  while ((septetsOf(short) ?? 0) > NAME_MAX) short = short.slice(0, -1)
  return short
}
