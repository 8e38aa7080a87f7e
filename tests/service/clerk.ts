import { fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { COMPILED } from "./compiled.ts"

const DESK = resolve(import.meta.dirname, "clerk-desk.ts")

export type Asked = { readonly id: number; readonly words: readonly string[] }
export type Answered = { readonly id: number; readonly printed?: string; readonly failed?: string }

export type Clerk = {
  /** Does an act of `paraph admin`, and answers what it prints; rejects with what it says of a mistake. */
  readonly admin: (words: readonly string[]) => Promise<string>
  readonly end: () => Promise<void>
}

/** One process for all acts of a test file, each as `paraph admin` does it: most of the time of such a command is its start. */
export function startClerk(env: Readonly<Record<string, string>>): Clerk {
  const child = fork(DESK, { execArgv: [], env: { PATH: process.env.PATH, ...COMPILED, ...env } })
  const exit = once(child, "exit")
  const waiting = new Map<number, (answer: Answered) => void>()
  child.on("message", (answer: Answered) => waiting.get(answer.id)?.(answer))
  child.on("exit", (code) => {
    for (const [id, settle] of waiting) settle({ id, failed: `The clerk ended with ${code}.` })
  })
  let last = 0
  return {
    admin: async (words) => {
      last += 1
      const id = last
      const { printed, failed } = await new Promise<Answered>((settle) => {
        waiting.set(id, settle)
        child.send({ id, words } satisfies Asked)
      })
      waiting.delete(id)
      if (printed === undefined) throw new Error(`paraph admin ${words.join(" ")}: ${failed}`)
      return printed
    },
    end: async () => {
      // It ends by itself when nobody is there to ask; with SIGTERM Node would not write what it compiled.
      if (child.connected) child.disconnect()
      await exit
    },
  }
}
