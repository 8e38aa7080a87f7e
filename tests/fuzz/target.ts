// What is fuzzed: one reader of foreign bytes, the errors by which it may refuse, and what must hold when it does not.

export type Target = {
  readonly name: string
  /** Decides which mutations make sense: `words` are texts that people and programs write, `text` is what has the words of PDF. */
  readonly kind: "der" | "pdf" | "text" | "bytes" | "words" | "json"
  /** What means something to this reader, and would be found late by chance. */
  readonly words?: readonly string[]
  /** Made by us, the same in every run. */
  readonly seeds: () => readonly Uint8Array[] | Promise<readonly Uint8Array[]>
  /** Seeds more from the folder of the corpora, where there is one. */
  readonly corpus?: (folder: string) => readonly Uint8Array[]
  readonly refusals: readonly ErrorClass[]
  /** Returns where the input is accepted; throws a refusal, or `Broken` where a property does not hold. */
  readonly run: (input: Uint8Array) => unknown
}

export type ErrorClass = abstract new (...args: never[]) => Error

/** A property that must hold of whatever is accepted does not. */
export class Broken extends Error {
  constructor(property: string) {
    super(property)
    this.name = "Broken"
  }
}

export function must(holds: boolean, property: string): void {
  if (!holds) throw new Broken(property)
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
