import { type ParseArgsConfig, parseArgs } from "node:util"
import { nearest } from "./nearest.ts"
import { NotUnderstood } from "./not-understood.ts"

/** How something is typed, and what for. Its options are read from `usage`: no other list of them can differ from what is shown. */
export type Described = {
  /** What follows its name: words first, then options. `FILE… --to ADDRESS… [--json]` */
  readonly usage: string
  readonly about: string
  /** A line for those options that do not say it by their names. */
  readonly options?: Readonly<Record<string, string>>
  /** What else must be known, such as exit codes. */
  readonly notes?: string
}

export type Option = {
  readonly name: string
  /** What stands for its value; null for a switch. */
  readonly value: string | null
  readonly many: boolean
}

const OPTION = /--([a-z0-9][a-z0-9-]*)(?:[= ]([^\s[\]…|-][^\s[\]…]*))?(\]?…)?/g

export const optionsIn = (usage: string): readonly Option[] =>
  [...usage.matchAll(OPTION)].map(([, name = "", value, many]) => ({
    name,
    value: value ?? null,
    many: many !== undefined,
  }))

/** What is typed before the options. */
export const wordsIn = (usage: string): string => usage.split(/\[?--/)[0]?.trim() ?? ""

/** What a shell offers for it: these words, the files or folders that are there, or nothing that it could know. */
export type Offered = { readonly words: readonly string[]; readonly paths: "files" | "folders" | null }

const STANDS_FOR_SOMETHING = ["FILE", "TEXT", "N", "ID", "LIST", "TIME", "NAME"]

export function offeredFor(value: string): Offered {
  const alternatives = value.replaceAll(/[[\]…]/g, "").split(/\s?\|\s?/)
  const words =
    alternatives.length > 1 ? alternatives.filter((one) => !STANDS_FOR_SOMETHING.includes(one)) : []
  if (/FILE|MODULE/.test(value)) return { words, paths: "files" }
  return { words, paths: /DIR/.test(value) ? "folders" : null }
}

/** For acts that print JSON anyway: whoever writes a script need not know which. */
export const alsoJson = <A extends Described>(
  acts: Readonly<Record<string, A>>,
): Readonly<Record<string, A>> =>
  Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [name, { ...act, usage: `${act.usage} [--json]`.trim() }]),
  )

export type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

/** The options that its usage names, and no others: a misspelt one must not be passed over. */
export function typed(
  usage: string,
  words: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } {
  const options: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    optionsIn(usage).map(({ name, value, many }) => [
      name,
      value === null ? { type: "boolean" } : { type: "string", multiple: many },
    ]),
  )
  try {
    const allowPositionals = wordsIn(usage) !== ""
    const read = parseArgs({ args: [...words], options, allowPositionals, strict: true })
    return { values: read.values as Values, positionals: read.positionals }
  } catch (error) {
    throw notRead(error as Error, Object.keys(options))
  }
}

/** In our words: those of Node explain how one would type a file whose name begins with a hyphen. */
export function notRead({ message }: Error, names: readonly string[]): NotUnderstood {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
  if (unknown === undefined) return new NotUnderstood(message)
  const meant = nearest(unknown.replace(/^-+/, ""), names)
  return new NotUnderstood(
    `There is no option ${unknown} here. ${meant === null ? "--help says which there are." : `Did you mean --${meant}?`}`,
  )
}

export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === "string" ? value : undefined
}

export const textsOf = (values: Values, name: string): readonly string[] => {
  const value = values[name]
  return Array.isArray(value) ? value : []
}
