// The operators of content streams (ISO 32000-2, Annex A) and the operands that each of them takes. Readers guess in their own
// way where an operand is missing, has another type or is one too many, so the check of page content accepts no other.

/** Ends the scan of a content stream; the message names the construct. */
export class UnclearContent extends Error {}

/** One letter for each operand. An array is numeric where all of its items are numbers, also where it is empty. */
export type OperandKind = "n" | "/" | "s" | "N" | "a" | "x" | "d" | "o"

export const OPERAND = {
  number: "n",
  name: "/",
  string: "s",
  numericArray: "N",
  /** Strings and numbers, as TJ takes them. */
  textArray: "a",
  otherArray: "x",
  dictionary: "d",
  other: "o",
} as const satisfies Record<string, OperandKind>

const exactly = (operands: string, names: string): readonly (readonly [string, RegExp])[] =>
  names.split(" ").map((name) => [name, new RegExp(`^${operands}$`)] as const)

const OPERATORS: ReadonlyMap<string, RegExp> = new Map([
  ...exactly("", "b B b* B* f F f* s S n h W W* q Q BT ET T* EMC BX EX"),
  ...exactly("n", "w J j M i g G Tc Tw Tz TL Tr Ts"),
  ...exactly("nn", "m l Td TD d0"),
  ...exactly("nnn", "rg RG"),
  ...exactly("nnnn", "re v y k K"),
  ...exactly("n{6}", "c cm Tm d1"),
  ...exactly("n{1,32}", "sc SC"),
  ...exactly("(?:n{1,32}/?|/)", "scn SCN"),
  ...exactly("/", "cs CS gs ri Do sh MP"),
  // jsPDF writes no tag, which matters only where layers are hidden (content-scan.ts).
  ...exactly("/?", "BMC"),
  ...exactly("/[/d]", "BDC DP"),
  ...exactly("/n", "Tf"),
  ...exactly("Nn", "d"),
  ...exactly("s", "Tj '"),
  ...exactly("nns", '"'),
  ...exactly("[Na]", "TJ"),
])

/** Of operators with operands that fit, because a page repeats few of them many times. */
const FITTING = new Set<string>()
const MAX_FITTING = 1_000

/** How an operator does not fit its operands; undefined where it does. */
export function wrongOperands(operator: string, operands: string): string | undefined {
  const key = `${operands} ${operator}`
  if (FITTING.has(key)) return undefined
  const wrong = compareOperands(operator, operands)
  if (wrong === undefined && FITTING.size < MAX_FITTING) FITTING.add(key)
  return wrong
}

function compareOperands(operator: string, operands: string): string | undefined {
  const expected = OPERATORS.get(operator)
  // All readers skip an unknown word. Some take an operator out of one that begins with it, as of `TjET`.
  if (expected === undefined)
    return /^[A-Za-z]+$/.test(operator) && !beginsWithOperator(operator)
      ? undefined
      : "an operator that readers do not know"
  return expected.test(operands) ? undefined : `operands that the operator ${operator} does not take`
}

const beginsWithOperator = (word: string): boolean =>
  [1, 2, 3].some((length) => OPERATORS.has(word.slice(0, length)))

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Operators that draw something. */
export const PAINTING = setOf("S s f F f* B B* b b* sh Do Tj TJ ' \" BI")
/** Operators that end a path (8.5.3). */
export const ENDING_PATH = setOf("S s f F f* B B* b b* n")
/** Operators that go on from the current point (8.5.2.1). */
export const CONTINUING_PATH = setOf("l c v y")
/** Where the first, or only, name of these operators is found in the resources (7.8.3). */
export const RESOURCES: ReadonlyMap<string, ResourceCategory> = new Map([
  ["Tf", "Font"],
  ["gs", "ExtGState"],
  ["Do", "XObject"],
  ["cs", "ColorSpace"],
  ["CS", "ColorSpace"],
  ["scn", "Pattern"],
  ["SCN", "Pattern"],
  ["sh", "Shading"],
])
export type ResourceCategory =
  | "Font"
  | "ExtGState"
  | "XObject"
  | "ColorSpace"
  | "Pattern"
  | "Shading"
  | "Properties"
/** 8.6.3: names of colour spaces that no resource defines. */
export const DEVICE_SPACES = setOf("DeviceGray DeviceRGB DeviceCMYK Pattern")
