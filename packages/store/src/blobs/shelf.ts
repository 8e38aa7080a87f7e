import type { Bucket } from "./bucket.ts"
import type { Spool } from "./spool.ts"

type Entry = {
  readonly path: Promise<string>
  readonly sizeBytes: number
  holders: number
}

/**
 * Sealed objects that were brought from the bucket. Who turns the pages of a document asks for it again and again, so
 * what nobody holds stays for a while, until others need the room; the one that was used longest ago goes first.
 */
export function createShelf(spool: Spool, bucket: Bucket, keptBytes: number) {
  // In order of use.
  const entries = new Map<string, Entry>()

  /** All bytes that there must be: an object that is cut ends in an error, and is not kept. */
  const fetch = (name: string, sizeBytes: number): Entry => {
    const path = spool.bring(bucket.get(name, { start: 0, end: sizeBytes }))
    const entry = { path, sizeBytes, holders: 0 }
    path.catch(() => entries.get(name) === entry && entries.delete(name))
    return entry
  }
  const makeRoom = async () => {
    const idle = [...entries].filter(([, { holders }]) => holders === 0)
    let bytes = idle.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0)
    const leaving: Entry[] = []
    for (const [name, entry] of idle) {
      if (bytes <= keptBytes) break
      bytes -= entry.sizeBytes
      entries.delete(name)
      leaving.push(entry)
    }
    // All have left the shelf before the first wait: whoever asks for one meanwhile has it brought again.
    await Promise.all(leaving.map(async ({ path }) => spool.remove(await path)))
  }
  return {
    take: async (
      name: string,
      sizeBytes: number,
    ): Promise<{ path: string; release: () => Promise<void> }> => {
      const entry = entries.get(name) ?? fetch(name, sizeBytes)
      entries.delete(name)
      entries.set(name, entry)
      entry.holders += 1
      let held = true
      const release = async () => {
        if (!held) return
        held = false
        entry.holders -= 1
        await makeRoom()
      }
      try {
        return { path: await entry.path, release }
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}
