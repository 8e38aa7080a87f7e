// Text that somebody else wrote, made fit to be shown, logged and put into a message: whoever names himself in a
// certificate must not be able to begin a new line, turn the direction of what follows, or fill a page.

const MAX_SHOWN = 1024

// Controls, line and paragraph separators, halves of surrogate pairs, and what is not seen but changes what is (Unicode
// TR 36, 2.5): all but the two joiners, without which Persian and many scripts of India cannot be written.
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu

/** The text with a replacement character for everything that could deceive, so that it is seen that something was there. */
export function shownText(text: string): string {
  return text.slice(0, MAX_SHOWN).replace(NOT_SHOWN, "\ufffd")
}
