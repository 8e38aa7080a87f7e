import type { Language } from "@paraph/core/language"
import { oneLine } from "./foreign-words.ts"
import { inGsmLetters } from "./gsm.ts"
import { SMS_WORDS } from "./words/sms-words.ts"

export type SmsCode = {
  readonly language: Language
  readonly purpose: "mailbox" | "release"
  readonly sender: string
  readonly demo: boolean
  /** Six digits. */
  readonly code: string
}

/** So long that one message holds it all, in every language. */
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

/** Telephones make a link of whatever looks like an address: a name with a dot in it loses the dot. */
function nameIn(sender: string): string {
  const name = inGsmLetters(oneLine(sender).replaceAll(/[.:@/\\\u3002\uFF0E\uFF61]+(?=\S)/gu, " "))
  // A company that is left with a mark or a lonely letter is not known by it.
  if (!/[A-Za-z0-9].*[A-Za-z0-9]/.test(name)) return ""
  // The sentence ends with a full stop of its own.
  return name.slice(0, NAME_MAX).replace(/[\s.]+$/, "")
}
