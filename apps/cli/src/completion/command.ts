import { NotUnderstood } from "../not-understood.ts"
import { bash } from "./bash.ts"
import { fish } from "./fish.ts"
import { places } from "./places.ts"
import { zsh } from "./zsh.ts"

const SHELLS: Readonly<Record<string, typeof bash>> = { bash, zsh, fish }

/** `paraph completion`: a script that knows all commands by itself, so that a shell need not start Node at each key. */
export async function completion(words: readonly string[]): Promise<number> {
  const [shell = ""] = words
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (write === undefined || words.length > 1) throw new NotUnderstood("paraph completion: bash, zsh or fish")
  process.stdout.write(write(await places()))
  return 0
}
