// The requirements that the title of a test names.

/** `it("[SR-01 v2] …")`, `it("[ST-02 v2] [EVT-03 v2] …")` or `it("[SR-01 v2, SR-03 v2] …")`, as written between the brackets. */
export const requirementsIn = (title: string): readonly string[] => namesIn(title, /\[([A-Z]+-\d[^\]]*)\]/g)

export type SecurityNaming = { readonly name: string; readonly line: number }

/**
 * The requirements of security that the titles of a source name, which have no versions: `it("[R27] …")`
 * (docs/security/asvs.md). A test that does not run, or that is expected to fail, proves nothing and is passed over.
 */
export const securityNamings = (source: string): readonly SecurityNaming[] =>
  [...source.matchAll(TITLE_START)].flatMap((match) => {
    const { callee = "", quote = "", title = "" } = match.groups ?? {}
    if (quote === "" || /\.(skip|skipIf|todo|fails)\b/.test(callee)) return []
    const line = source.slice(0, match.index).split("\n").length
    return namesIn(title, /\[(R\d[^\]]*)\]/g).map((name) => ({ name, line }))
  })

const namesIn = (title: string, bracket: RegExp): readonly string[] =>
  [...title.matchAll(bracket)].flatMap(([, inside = ""]) => inside.split(",").map((name) => name.trim()))

// What is called (`it`, `test.skip`, or the closing bracket of `it.each(…)`), and the string it is given first.
const TITLE_START =
  /(?<callee>\b(?:it|test)\b(?:\.\w+)*|\))\(\s*(?<quote>["'`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)/g
