// What targets of texts have in common: their input as a reader of ours gets it, and an answer that says no.

/** The reader says no without an error of its own; so the run counts as refused, and the word as its way. */
export class Nothing extends Error {
  constructor(why: string) {
    super(why)
    this.name = "Nothing"
  }
}

type Coded = abstract new (...args: never[]) => Error & { readonly code: string }

/** A refusal is known by its code: its message may repeat the input, and would be a new way each time. */
export function coded<T>(refusal: Coded, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof refusal) throw new Nothing(error.code)
    throw error
  }
}

/** As a framework hands it over: octets that are no UTF-8 come as replacement characters. */
export const inText = (input: Uint8Array): string => Buffer.from(input).toString("utf8")

export const texts = (...given: readonly string[]): readonly Uint8Array[] =>
  given.map((text) => new Uint8Array(Buffer.from(text)))

export const json = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(value)))

/** Where the first line of an input is something else than what stands below it. */
export function firstLine(input: Uint8Array): readonly [line: string, rest: Uint8Array] {
  const end = input.indexOf(0x0a)
  if (end < 0) return [inText(input), new Uint8Array()]
  return [inText(input.subarray(0, end)), input.subarray(end + 1)]
}
