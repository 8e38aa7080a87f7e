/** What the thread is asked for, and its answer. */
export type Question = { readonly id: number; readonly password: string; readonly words: readonly string[] }
export type Answer = { readonly id: number; readonly guessesLog10: number }
