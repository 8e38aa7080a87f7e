import { readAsLatin, withoutAccents } from "./look-alikes.ts"

/** Whose name it is: real companies are called AES, SES or Advanced Electronic Systems, people are not. */
export type NameOf = "person" | "company"

/**
 * Words that state the quality of a signature, in the languages of the service, after look-alike letters are read as Latin ones.
 * A name that holds them makes a visible signature claim a weight that was not checked (ADR 0080).
 */
const WORDS = {
  qualified: "QUALIFIED|QUALIFIZIERT(?:E[MNRS]?)?|QUALIFIEE?S?|QUALIFICAT[AO]",
  advanced: "ADVANCED|FORTGESCHRITTEN(?:E[MNRS]?)?|AVANCEE?S?|AVANZAT[AO]",
  simple: "SIMPLE|EINFACH(?:E[MNRS]?)?|SEMPLICE",
  electronic:
    "ELECTRONIC(?:ALLY)?|ELEKTRONISCH(?:E[MNRS]?)?|ELECTRONIQUES?|ELETTRONIC[AO]|DIGITAL(?:LY|E[MNRS]?)?|NUMERIQUES?",
  signature:
    "E?(?:SIGNATUR(?:E[NS]?)?|UNTERSCHRIFT(?:EN)?|FIRMA|SEAL|SIEGEL|CACHET|SCEAUX?|SIGILLO|CERTIFICATE|CERTIFICATO?|ZERTIFIKAT)",
  signed:
    "E?(?:SIGN(?:ED|ER|ING)?|SIGNATORY|SIGNIERT|UNTERZEICHNET|UNTERSCHRIEBEN|BESIEGELT|SIGNEE?|SIGNATAIRE|FIRMAT[AO]|FIRMATARI[AO]|SOTTOSCRITT[AO])",
} as const

/** i, l, 1 and | look alike in many fonts, so all of them are read as I: 1 and | in look-alikes.ts, L here. */
const fold = (capitals: string): string => capitals.replaceAll("L", "I")

const whole = (pattern: string): RegExp => new RegExp(`^(?:${fold(pattern)})$`)
const [QUALIFIED, ADVANCED, SIMPLE] = [whole(WORDS.qualified), whole(WORDS.advanced), whole(WORDS.simple)]
const [ELECTRONIC, SIGNATURE, SIGNED] = [whole(WORDS.electronic), whole(WORDS.signature), whole(WORDS.signed)]
const ANY_WORD = whole(Object.values(WORDS).join("|"))

/** Two to four of these words without spaces, as in QualifiedElectronicSignature; one of them is the noun. */
const COMPOUND = new RegExp(
  fold(
    `^(?=.*(?:${WORDS.signature}))(?=.*(?:${WORDS.qualified}|${WORDS.advanced}|${WORDS.electronic}))(?:${Object.values(WORDS).join("|")}){2,4}$`,
  ),
)

/** The qualities of the API, and what German, French and Italian call them. */
const ACRONYMS: ReadonlySet<string> = new Set([
  ...["AES", "SES", "ADES", "XADES", "QADES"],
  ...["FES", "FEQ", "FEA", "SEQ", "QSCD", "QTSP"],
])
/** QES, also as a prefix, such as in QESig and QESignature. No family name of any register that we know begins so. */
const QES = /^[EX]?QES(?:I.*)?$/
/** Such as preQES and QESsignature: the acronym in capitals, in a word that has small letters too; and QESAG. */
const QES_INSIDE = /^(?=.*[a-z]).*QES|^QES(?:AG|SA|GMBH|LTD)$/
/** ETSI's names of certificates and services, such as QSealC and QWAC. No family name that we know begins so. */
const QUALIFIED_SERVICE = /^Q(?:SEAI|SIG|CERT|WAC$|TSP$|SCD$)/
/** XAdES, PAdES, CAdES and JAdES, spelled as the standards do: Pades and Cades are family names. */
const FORMAT = /^[CJPQX]?AdES/
/** QES with a digit that looks like a Q. */
const QES_WITH_DIGIT = /^[09]ES$/
const LAWS: ReadonlySet<string> = new Set(["EIDAS", "ZERTES"])

/** The word or phrase of the name that states a signature quality, as it is written there; null where there is none. */
export function qualityWord(name: string, of: NameOf): string | null {
  const words = wordsOf(name)
  const single = words.find((word) => isQuality(word, of))
  if (single !== undefined) return single.written
  const joined = joinedPieces(name)
  const split = joined.find((word) => isSplitQuality(word, of))
  return split?.written ?? phraseIn([...words, ...joined.filter(({ latin }) => ANY_WORD.test(latin))], of)
}

type Word = {
  readonly written: string
  /** With look-alikes read as Latin letters, in capitals, and L as I. */
  readonly latin: string
}

const read = (written: string): Word => ({ written, latin: fold(readAsLatin(written).toUpperCase()) })

/** Letters and digits, and the signs that stand for a letter, as in QE$. */
const piecesOf = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}$€|]+/u).filter((piece) => piece !== "")

/** Initials in one piece, as in Q.E.S., are one word. */
function wordsOf(name: string): readonly Word[] {
  return withoutAccents(name)
    .split(/\s+/u)
    .flatMap((chunk) => {
      const found = piecesOf(chunk)
      const areInitials = found.length > 1 && found.every((piece) => [...piece].length === 1)
      return areInitials ? [found.join("")] : found
    })
    .map(read)
}

type Joined = Word & { readonly hasSpace: boolean }

const MAX_PIECES = 14
const MAX_JOINED = 20

/** What is written in several pieces, as in Q-ES, QE S and Quali fied: every run of pieces without what stands between them. */
function joinedPieces(name: string): readonly Joined[] {
  const pieces = withoutAccents(name)
    .split(/\s+/u)
    .flatMap((chunk, index) => piecesOf(chunk).map((piece) => ({ ...read(piece), chunk: index })))
  return pieces.flatMap((first, start) => {
    const found: Joined[] = []
    let { written, latin } = first
    for (const piece of pieces.slice(start + 1, start + MAX_PIECES)) {
      written += ` ${piece.written}`
      latin += piece.latin
      if (latin.length > MAX_JOINED) break
      found.push({ written, latin, hasSpace: piece.chunk !== first.chunk })
    }
    return found
  })
}

/** With and without the digits around it, as in QES2026. An acronym that is spelled as a name is one: Ses, Aes and Adès are people's names. */
function isQuality(word: Word, of: NameOf): boolean {
  if (!/\p{L}/u.test(word.written)) return false
  const bare = word.written.replace(/^\p{N}+|\p{N}+$/gu, "")
  if (QES_WITH_DIGIT.test(word.written)) return true
  // As in Q|E|S.
  const unbarred = word.written.replaceAll("|", "")
  return [word, read(bare), read(unbarred)].some(({ written, latin }) => {
    const asLatin = readAsLatin(written)
    if (COMPOUND.test(latin) || QES_INSIDE.test(asLatin)) return true
    const isName = /^[A-Z][a-z]+$/.test(written)
    if (QES.test(latin)) return !(isName && latin === "QES")
    if (of === "company") return false
    if (QUALIFIED_SERVICE.test(latin) || FORMAT.test(asLatin)) return true
    return LAWS.has(latin) || (ACRONYMS.has(latin) && !isName)
  })
}

/** Real initials look like AES and SES in pieces, and companies have letters in a row, so little of this is refused. */
function isSplitQuality({ latin, hasSpace }: Joined, of: NameOf): boolean {
  if (of === "company") return !hasSpace && latin === "QES"
  if (/^[EX]?QES$/.test(latin) || latin === "QSCD") return true
  return !hasSpace && (LAWS.has(latin) || QUALIFIED_SERVICE.test(latin))
}

/** In any order, and with other words between them: languages put the adjective before the noun or after it. */
function phraseIn(words: readonly Word[], of: NameOf): string | null {
  const first = (pattern: RegExp) => words.find(({ latin }) => pattern.test(latin))
  const [qualified, advanced, simple] = [first(QUALIFIED), first(ADVANCED), first(SIMPLE)]
  const [electronic, signature, signed] = [first(ELECTRONIC), first(SIGNATURE), first(SIGNED)]
  // ES for electronic signature, in capitals; Es is a name.
  const short = words.find(({ written }) => written === "ES")
  const abbreviated = first(/^QUAI$/)
  const [shortened, qes] = [first(/^QUAIIF(?:IZ)?$/), first(/^QES$/)]
  const found =
    of === "company"
      ? [together(qualified, signature), together(advanced, electronic, signature)]
      : [
          together(qualified ?? advanced ?? simple, signature),
          together(qualified ?? advanced, signed),
          together(qualified ?? advanced, electronic),
          together(electronic, signature ?? signed),
          together(shortened ?? qes, signature ?? signed),
          together(qualified ?? abbreviated, short),
        ]
  return found.find((phrase) => phrase !== null) ?? null
}

const together = (...words: readonly (Word | undefined)[]): string | null =>
  words.includes(undefined) ? null : words.map((word) => word?.written).join(" ")
