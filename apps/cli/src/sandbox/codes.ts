import type { Mail } from "./mailbox-store.ts"
import type { ReadCode } from "./signer.ts"

/** The newest code that came as a text message and that nobody has used yet. */
export function codesFrom(messages: () => Promise<readonly Mail[]>): ReadCode {
  const used = new Set<number>()
  return async () => {
    const texts = (await messages()).filter(({ to, id }) => to[0]?.startsWith("+") === true && !used.has(id))
    for (const { id, text } of texts.toReversed()) {
      const [, code] = /\b(\d{6})\b/.exec(text) ?? []
      used.add(id)
      if (code !== undefined) return code
    }
    return null
  }
}
