import { actsOf, COMMANDS, type Command } from "../commands.ts"
import { type Described, type Offered, offeredFor, optionsIn, wordsIn } from "../synopsis.ts"

export type Choice = { readonly word: string; readonly about: string }

/** Where on the line one may stand, and what can follow there. */
export type Place = {
  /** The command, or the command and its act; empty at the beginning. */
  readonly path: string
  readonly choices: readonly Choice[]
  readonly paths: Offered["paths"]
  readonly options: readonly PlaceOption[]
}

export type PlaceOption = {
  readonly name: string
  readonly about: string
  /** Null for a switch. */
  readonly takes: Offered | null
}

export async function places(): Promise<readonly Place[]> {
  const commands = Object.entries<Command>(COMMANDS)
  const names = commands.map(([word, { about }]) => ({ word, about }))
  const found: Place[] = [{ path: "", choices: names, paths: null, options: [] }]
  for (const [name, command] of commands) {
    const acts = Object.entries(await actsOf(command))
    const more = name === "help" ? names : acts.map(([word, { about }]) => ({ word, about }))
    found.push(placeOf(name, command, more))
    for (const [act, described] of acts) found.push(placeOf(`${name} ${act}`, described))
  }
  return found
}

function placeOf(
  path: string,
  { usage, options: told = {} }: Described,
  acts: readonly Choice[] = [],
): Place {
  const { words, paths } = offeredFor(wordsIn(usage))
  const named = optionsIn(usage).map(({ name, value }) => ({
    name,
    about: told[name] ?? "",
    takes: value === null ? null : offeredFor(value),
  }))
  return {
    path,
    choices: [...acts, ...words.map((word) => ({ word, about: "" }))],
    paths,
    options: [...named, { name: "help", about: "how it is used", takes: null }],
  }
}

/** In single quotes, for any of the shells. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
