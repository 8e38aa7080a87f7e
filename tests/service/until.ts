import { setTimeout as pause } from "node:timers/promises"

/** Asks again until the answer is there; says what it waited for when the time is over. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  timeoutMs = 150_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`)
    await pause(50)
  }
}
