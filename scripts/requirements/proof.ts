// Which rules are proved, by which tests.
import type { Rule, Version } from "./rules.ts"
import { requirementsIn } from "./titles.ts"

/** A test as Vitest lists it: the title has its values filled in. */
export type Test = { readonly path: string; readonly title: string }

export type Standing = {
  readonly id: string
  readonly state: "proved" | "partly" | "open"
  /** The versions that tests name, for a rule that is proved in part. */
  readonly proved: readonly Version[]
  readonly files: readonly string[]
}

export type Account = {
  readonly standings: readonly Standing[]
  /** Names in titles that are no requirement; each is a mistake in a test. */
  readonly mistakes: readonly string[]
}

type Claim = { readonly id: string; readonly version: string | undefined; readonly path: string }

export function account(rules: readonly Rule[], tests: readonly Test[]): Account {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const claims: Claim[] = []
  const mistakes = new Set<string>()
  for (const { path, title } of tests) {
    for (const name of requirementsIn(title)) {
      const [id = "", version, ...rest] = name.split(" ")
      const mistake = mistakeIn(byId.get(id), name, version, rest.length > 0)
      if (mistake) mistakes.add(`${path}: [${name}] ${mistake}`)
      else claims.push({ id, version, path })
    }
  }
  return { standings: rules.map((rule) => stand(rule, claims)), mistakes: [...mistakes] }
}

function mistakeIn(
  rule: Rule | undefined,
  name: string,
  version: string | undefined,
  more: boolean,
): string | undefined {
  if (more || !/^[A-Z]+-\d{2}[a-z]?( (v1|v2|v3|val))?$/.test(name))
    return "cannot be read; write [SR-01], [SR-01 v2] or [SR-01 v2, SR-03 v2]."
  if (!rule) return "is no requirement."
  if (version === undefined || rule.versions.some((one) => one === version)) return undefined
  const concerned = rule.versions.length > 0 ? `concerns ${rule.versions.join(", ")} only` : "has no version"
  return `names a version, but ${rule.id} ${concerned}.`
}

/** A test that names a rule without a version says that it proves the whole of it. */
function stand({ id, versions }: Rule, claims: readonly Claim[]): Standing {
  const own = claims.filter((claim) => claim.id === id)
  const proved = versions.filter((version) => own.some((claim) => claim.version === version))
  const whole = own.some(({ version }) => version === undefined)
  const complete = whole || (versions.length > 0 && proved.length === versions.length)
  const state = complete ? "proved" : proved.length > 0 ? "partly" : "open"
  return { id, state, proved, files: [...new Set(own.map(({ path }) => path))].sort() }
}
