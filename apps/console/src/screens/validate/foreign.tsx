// As pki's shown-text: controls, separators, and what is not seen but changes what is; all but the two joiners.
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu
const MAX_SHOWN = 300

/** What a stranger wrote into a certificate or a file: it begins no line, turns no direction and fills no page. */
export const foreign = (text: string): string => {
  const shown = text.slice(0, MAX_SHOWN).replace(NOT_SHOWN, "\ufffd")
  return text.length > MAX_SHOWN ? `${shown} …` : shown
}

export const Foreign = ({ text }: { readonly text: string }) => <bdi>{foreign(text)}</bdi>
