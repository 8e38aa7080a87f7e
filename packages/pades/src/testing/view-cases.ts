import { expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"

/** What one document has of more than one view. */
export const found = (file: Uint8Array) => describePdf(file).conditional
export const kinds = (file: Uint8Array) => found(file).map(({ kind }) => kind)

export type Case = readonly [what: string, file: Uint8Array]

/** One test for each file, which is refused for this reason. */
export const refuses = (kind: string, cases: readonly Case[]) =>
  it.each(cases)(`refuses %s as ${kind}`, (_, file) => {
    expect(kinds(file)).toContain(kind)
  })

export const accepts = (cases: readonly Case[]) =>
  it.each(cases)("accepts %s", (_, file) => {
    expect(found(file)).toEqual([])
  })
