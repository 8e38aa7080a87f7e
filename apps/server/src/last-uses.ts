import type { Caller } from "@paraph/core/access/caller"
import type { Clock } from "@paraph/core/ports"
import type { Logger } from "./telemetry/logs.ts"

export type LastUses = {
  /** Answers the same caller at once; what it has to write is written beside the answer. */
  readonly noted: (caller: Caller | null) => Caller | null
  readonly stop: () => Promise<void>
}

type NoteUses = (
  due: { readonly keys: readonly string[]; readonly members: readonly string[] },
  at: Date,
) => Promise<void>

const EVERY_MS = 60_000
const REMEMBER_AT_MOST = 10_000

/**
 * When a key was last used, and a member last seen: written at most once a minute for each, one write at a time however many
 * there are, so that nobody's answer waits for a connection because of it. What is lost in a crash is less than a minute.
 */
export function createLastUses(note: NoteUses, now: Clock, log: Pick<Logger, "warn">): LastUses {
  const written = new Map<string, number>()
  let keys = new Set<string>()
  let members = new Set<string>()
  let writing: Promise<void> | null = null

  const write = async () => {
    while (keys.size + members.size > 0) {
      const due = { keys: [...keys], members: [...members] }
      keys = new Set()
      members = new Set()
      await note(due, now())
    }
  }
  const begin = () => {
    writing ??= write()
      .catch((error: unknown) => log.warn({ error }, "last use not noted"))
      .finally(() => {
        writing = null
      })
  }
  return {
    noted: (caller) => {
      if (caller === null) return null
      const { via, keyId, userId } = caller
      const id = via === "session" ? userId : keyId
      const at = now().getTime()
      if (at - (written.get(id) ?? 0) < EVERY_MS) return caller
      if (written.size >= REMEMBER_AT_MOST) written.clear()
      written.set(id, at)
      ;(via === "session" ? members : keys).add(id)
      begin()
      return caller
    },
    stop: async () => {
      await writing
    },
  }
}
