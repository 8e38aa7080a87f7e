import { readAsLatin, withoutAccents } from "./look-alikes.ts"

/** Whose name it is: real companies are called AES, SES or Advanced Electronic Systems, people are not. */
export type NameOf = "person" | "company"

/**
 * Words that state the quality of a signature, in the languages of the service, after look-alike letters are read as Latin ones.
 * A name that holds them makes a visible signature claim a weight that nobody has checked (ADR 0080).
 */
const WORDS = {
  qualified: "QUALIFIED|QUALIFIZIERT(?:E[MNRS]?)?|QUALIFIEE?S?|QUALIFICAT[AO]",
  advanced: "ADVANCED|FORTGESCHRITTEN(?:E[MNRS]?)?|AVANCEE?S?|AVANZAT[AO]",
  simple: "SIMPLE|EINFACH(?:E[MNRS]?)?|SEMPLICE",
  electronic:
    "ELECTRONIC|ELEKTRONISCH(?:E[MNRS]?)?|ELECTRONIQUES?|ELETTRONIC[AO]|DIGITAL(?:E[MNRS]?)?|NUMERIQUES?",
  signature:
    "SIGNATUR(?:E[NS]?)?|UNTERSCHRIFT(?:EN)?|FIRMA|SEAL|SIEGEL|CACHET|SIGILLO|CERTIFICATE|CERTIFICATO?|ZERTIFIKAT",
} as const

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
const [QUALIFIED, ADVANCED, SIMPLE] = [whole(WORDS.qualified), whole(WORDS.advanced), whole(WORDS.simple)]
const [ELECTRONIC, SIGNATURE] = [whole(WORDS.electronic), whole(WORDS.signature)]

/** Two to four of these words without spaces, as in QualifiedElectronicSignature; one of them is the noun. */
const COMPOUND = new RegExp(
  `^(?=.*(?:${WORDS.signature}))(?=.*(?:${WORDS.qualified}|${WORDS.advanced}|${WORDS.electronic}))(?:${Object.values(WORDS).join("|")}){2,4}$`,
)

/** The qualities of the API, and what German, French and Italian call them. */
const ACRONYMS: ReadonlySet<string> = new Set([
  ...["QES", "XQES", "AES", "SES", "ADES", "QSEAL"],
  ...["FES", "FEQ", "FEA", "SEQ"],
])
const ACRONYMS_OF_COMPANIES: ReadonlySet<string> = new Set(["QES", "XQES"])
const LAWS: ReadonlySet<string> = new Set(["EIDAS", "ZERTES"])

/** The word or phrase of the name that states a signature quality, as it is written there; null where there is none. */
export function qualityWord(name: string, of: NameOf): string | null {
  const words = wordsOf(name)
  const single = words.find((word) => isQuality(word, of))
  return single?.written ?? phraseIn(words, of)
}

type Word = {
  readonly written: string
  /** With look-alikes read as Latin letters, in capitals. */
  readonly latin: string
}

/** Letters and digits, and the signs that stand for a letter, as in QE$. Initials in one piece, as in Q.E.S., are one word. */
function wordsOf(name: string): readonly Word[] {
  const pieces = (text: string) => text.split(/[^\p{L}\p{N}$€|]+/u).filter((piece) => piece !== "")
  return withoutAccents(name)
    .split(/\s+/u)
    .flatMap((chunk) => {
      const found = pieces(chunk)
      const areInitials = found.length > 1 && found.every((piece) => [...piece].length === 1)
      return areInitials ? [found.join("")] : found
    })
    .map((written) => ({ written, latin: readAsLatin(written).toUpperCase() }))
}

/** An acronym that is spelled as a name is one: Ses, Aes and Adès are people's names. */
function isQuality({ written, latin }: Word, of: NameOf): boolean {
  if (!/\p{L}/u.test(written)) return false
  if (COMPOUND.test(latin)) return true
  if (of === "company") return ACRONYMS_OF_COMPANIES.has(latin)
  if (LAWS.has(latin)) return true
  return ACRONYMS.has(latin) && !/^[A-Z][a-z]+$/.test(written)
}

/** In any order, and with other words between them: languages put the adjective before the noun or after it. */
function phraseIn(words: readonly Word[], of: NameOf): string | null {
  const first = (pattern: RegExp) => words.find(({ latin }) => pattern.test(latin))
  const [qualified, advanced, simple] = [first(QUALIFIED), first(ADVANCED), first(SIMPLE)]
  const [electronic, signature] = [first(ELECTRONIC), first(SIGNATURE)]
  const found =
    of === "company"
      ? [together(qualified, signature), together(advanced, electronic, signature)]
      : [
          together(qualified ?? advanced ?? simple, signature),
          together(qualified ?? advanced, electronic),
          together(electronic, signature),
        ]
  return found.find((phrase) => phrase !== null) ?? null
}

const together = (...words: readonly (Word | undefined)[]): string | null =>
  words.includes(undefined) ? null : words.map((word) => word?.written).join(" ")
