/** Runs the work when fewer than so many of the same key are running; the others wait, in their order. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * So that one business cannot hold every connection of a process: its slow statements wait for each other, and everybody
 * else finds a connection. Work must not ask for a turn of its own key while it has one.
 */
export function createTurns(each: number): Turns {
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()

  const begin = (key: string): Promise<void> | undefined => {
    const count = running.get(key) ?? 0
    if (count < each) return void running.set(key, count + 1)
    const queue = waiting.get(key) ?? []
    waiting.set(key, queue)
    return new Promise((resolve) => queue.push(resolve))
  }
  const end = (key: string): void => {
    const queue = waiting.get(key)
    const next = queue?.shift()
    if (queue?.length === 0) waiting.delete(key)
    if (next !== undefined) {
      // The turn is handed on, so the count stays.
      next()
      return
    }
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  return async (key, work) => {
    await begin(key)
    try {
      return await work()
    } finally {
      end(key)
    }
  }
}
