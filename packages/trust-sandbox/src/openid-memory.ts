// Where the sandbox's OpenID providers keep what they have given out: in memory, as long as the process lives. Their library has
// such a place as well, and warns of it each time.

type Payload = Record<string, unknown> & { readonly uid?: string; readonly grantId?: string }

/** One for each provider; it asks for a shelf by the kind of what lies on it. */
export function openidMemory() {
  const kept = new Map<string, { readonly payload: Payload; readonly until: number }>()
  const find = (name: string): Payload | undefined => {
    const found = kept.get(name)
    if (found === undefined || found.until > Date.now()) return found?.payload
    kept.delete(name)
    return undefined
  }
  return (kind: string) => ({
    upsert: async (id: string, payload: Payload, seconds?: number) => {
      const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000
      kept.set(`${kind} ${id}`, { payload, until })
    },
    find: async (id: string) => find(`${kind} ${id}`),
    findByUid: async (uid: string) => {
      for (const name of kept.keys()) {
        const payload = name.startsWith(`${kind} `) ? find(name) : undefined
        if (payload?.uid === uid) return payload
      }
      return undefined
    },
    findByUserCode: async () => undefined,
    consume: async (id: string) => {
      const payload = find(`${kind} ${id}`)
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id: string) => void kept.delete(`${kind} ${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [name, { payload }] of kept) if (payload.grantId === grantId) kept.delete(name)
    },
  })
}
