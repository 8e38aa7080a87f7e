// The requirements that the titles of a test file name.

export type Naming = {
  /** As written between the brackets: "SR-01", "SR-01 v2". */
  readonly name: string
  readonly line: number
}

/**
 * `it("[SR-01 v2] …")`, `it("[ST-02 v2] [EVT-03 v2] …")` or `it("[SR-01 v2, SR-03 v2] …")`; `test` and
 * `it.each(…)(…)` likewise. A test that does not run, or that is expected to fail, proves nothing and is passed over.
 */
export const namings = (source: string): readonly Naming[] => namedBy(source, /\[([A-Z]+-\d[^\]]*)\]/g)

/** The same for what was asked of security, which has no versions: `it("[R27] …")` (docs/security/asvs.md). */
export const securityNamings = (source: string): readonly Naming[] => namedBy(source, /\[(R\d[^\]]*)\]/g)

function namedBy(source: string, bracket: RegExp): readonly Naming[] {
  return [...source.matchAll(titleStart)].flatMap((match) => {
    const { callee = "", quote = "", title = "" } = match.groups ?? {}
    if (quote === "" || /\.(skip|skipIf|todo|fails)\b/.test(callee)) return []
    const line = source.slice(0, match.index).split("\n").length
    const brackets = [...title.matchAll(bracket)]
    return brackets.flatMap(([, inside = ""]) =>
      inside.split(",").map((name) => ({ name: name.trim(), line })),
    )
  })
}

// What is called (`it`, `test.skip`, or the closing bracket of `it.each(…)`), and the string it is given first.
const titleStart =
  /(?<callee>\b(?:it|test)\b(?:\.\w+)*|\))\(\s*(?<quote>["'`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)/g
