/** What a command has to say: the value for programs, and the words for people. */
export type Printed = { readonly value: object; readonly words: string }

export function print({ value, words }: Printed, asJson: boolean): void {
  console.log(asJson ? JSON.stringify(value) : words)
}
