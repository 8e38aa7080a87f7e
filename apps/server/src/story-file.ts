import type { ToldStory } from "@paraph/core/evidence/model"
import type { Story } from "@paraph/evidence/story"

/**
 * The story with its proofs, as a file that needs no server to be checked: what the newest signed head has of it. Null where it
 * has nothing yet. In the log a later event comes later, so what is left out stands at the end.
 */
export function storyFileOf(id: string, { events, log }: ToldStory): Story | null {
  const firstUnlogged = events.findIndex(({ logged }) => logged === null)
  const logged = firstUnlogged === -1 ? events : events.slice(0, firstUnlogged)
  if (log === null || logged.length === 0) return null
  const { key, checkpoint, stamp } = log
  return {
    format: "paraph-story/1",
    request: id,
    log: { key, checkpoint, stamp: stamp && inBase64(stamp) },
    events: logged.flatMap(({ logged: at, salt, body }) =>
      at === null ? [] : [{ index: at.index, salt: inBase64(salt), body, path: at.path.map(inBase64) }],
    ),
  }
}

const inBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
