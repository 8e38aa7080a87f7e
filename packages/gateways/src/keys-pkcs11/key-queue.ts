import { KeysFailed } from "./failed.ts"
import { type Call, type KeyProcess, startKeyProcess } from "./key-process.ts"
import type { Operation, TokenSettings } from "./protocol.ts"

export type KeyQueueSettings = TokenSettings & {
  /** The whole environment of the child, e.g. what the vendor's module asks for. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly generateTimeoutMs?: number
}

const MAX_WAITING = 1000

/** Hands out as many calls as the process has sessions; the others wait here, where its death does not touch them. */
export function createKeyQueue(settings: KeyQueueSettings) {
  const waiting: Call[] = []
  let current: KeyProcess | null = null
  let refusal: KeysFailed | null = null

  const onEnd = (why: KeysFailed) => {
    current = null
    // A wrong PIN stays wrong, and each try brings the token nearer to locking itself.
    if (why.code === "pin") refusal ??= why
    queueMicrotask(onFree)
  }
  const onFree = () => {
    if (refusal !== null) for (const call of waiting.splice(0)) call.reject(refusal)
    // In their order: whoever makes a key is not overtaken for ever by those who only sign.
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      current ??= startKeyProcess(settings, settings.env, { onFree, onEnd })
      if (!current.hasRoomFor(next.operation)) return
      waiting.shift()
      current.run(next)
    }
  }
  const run = (operation: Operation, timeoutMs: number) =>
    new Promise<Uint8Array | null>((resolve, reject) => {
      if (refusal !== null) return reject(refusal)
      if (waiting.length >= MAX_WAITING)
        return reject(new KeysFailed("busy", "Too many calls wait for the token."))
      waiting.push({ operation, timeoutMs, resolve, reject })
      onFree()
    })
  const close = async () => {
    refusal = new KeysFailed("closed", "The keys are closed.")
    const last = current
    onFree()
    if (last === null) return
    const gone = new Promise((resolve) => last.process.once("exit", resolve))
    last.end(refusal)
    await gone
  }
  return { run, close, processId: () => current?.process.pid ?? null }
}

export function present(value: Uint8Array | null): Uint8Array {
  if (value === null) throw new KeysFailed("device", "The token gave no answer.")
  return value
}
