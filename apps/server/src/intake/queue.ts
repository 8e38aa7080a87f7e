/** What one side puts in and the other takes out, one at a time. */
export type Queue<T> = {
  readonly push: (item: T) => void
  readonly end: () => void
  readonly fail: (error: Error) => void
  /** Read once. Whoever stops early leaves what is still put in to the collector. */
  readonly items: AsyncIterable<T>
}

/** `taken` is told of each item when the reader asks for the one after it. */
export function createQueue<T>(taken: (item: T) => void): Queue<T> {
  let waiting: T[] = []
  let next = 0
  let ended = false
  let fault: Error | null = null
  let wake = () => {}
  const items = async function* () {
    for (;;) {
      const item = waiting[next]
      if (item !== undefined) {
        next += 1
        // All that came meanwhile is taken before the list is begun anew: nothing is moved for each item.
        if (next === waiting.length) {
          waiting = []
          next = 0
        }
        yield item
        taken(item)
      } else if (fault !== null) throw fault
      else if (ended) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    push: (item) => {
      waiting.push(item)
      wake()
    },
    end: () => {
      ended = true
      wake()
    },
    fail: (error) => {
      fault = error
      wake()
    },
    items: items(),
  }
}
