import { createWatch } from "./http/app/watch.ts"

const EVERY_MS = 100

/**
 * One question for all who wait for a seal in this process. True when the order is over; false after the time that a caller is
 * asked to wait.
 */
export function createSealWatch(
  states: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  onError: (error: unknown) => void,
  mostMs: number,
): (id: string) => Promise<boolean> {
  const over = async (ids: readonly string[]) => {
    const found = await states(ids)
    // Of one that waits there is nothing to tell; of one that is gone, that it is over.
    return new Map(ids.map((id) => [id, found.get(id) === "waiting" ? "waiting" : "over"]))
  }
  /** Of all who are waited for, as it was last seen; several may wait for the same one. */
  let known: ReadonlyMap<string, string> = new Map()
  const watch = createWatch({
    versions: async (ids) => {
      known = await over(ids)
      return known
    },
    everyMs: EVERY_MS,
    onError,
  })
  return (id) =>
    new Promise((resolve) => {
      const end = (isOver: boolean) => {
        clearTimeout(timer)
        stop()
        resolve(isOver)
      }
      const timer = setTimeout(() => end(false), mostMs)
      const stop = watch.on(id, () => {
        if (known.get(id) === "over") end(true)
      })
    })
}
