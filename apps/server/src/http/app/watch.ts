export type Watch = {
  /** Calls back when the request has changed, or may have; gives back what ends it. */
  readonly on: (requestId: string, changed: () => void) => () => void
  readonly stop: () => void
}

export type WatchParts = {
  /** Something that differs after every change; of a request that is gone there is none. */
  readonly versions: (requestIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

type Watched = { version: string | null | undefined; readonly told: Set<() => void> }

/**
 * One question for all who watch, however many they are, and none while nobody does. PostgreSQL could tell us by itself, but
 * each notification takes a lock that all commits share, and a connection of its own for every process.
 */
export function createWatch({ versions, everyMs, onError }: WatchParts): Watch {
  const watched = new Map<string, Watched>()
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  const look = async () => {
    const found = await versions([...watched.keys()])
    for (const [id, one] of watched) {
      const version = found.get(id) ?? null
      // Somebody new has to be told once: what they saw may be older than our first look.
      if (version === one.version) continue
      one.version = version
      for (const tell of one.told) tell()
    }
  }
  const next = () => {
    if (stopped || timer !== null || watched.size === 0) return
    timer = setTimeout(() => {
      look()
        .catch(onError)
        .finally(() => {
          timer = null
          next()
        })
    }, everyMs).unref()
  }
  return {
    on: (requestId, changed) => {
      const one = watched.get(requestId) ?? { version: undefined, told: new Set() }
      one.version = undefined
      one.told.add(changed)
      watched.set(requestId, one)
      next()
      return () => {
        one.told.delete(changed)
        if (one.told.size === 0 && watched.get(requestId) === one) watched.delete(requestId)
      }
    },
    stop: () => {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      watched.clear()
    },
  }
}
