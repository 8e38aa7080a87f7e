import type { RemoteSigning, RemoteToken } from "../remote-key/model.ts"
import type { RemoteSigningsReading, RemoteSigningsTx } from "../remote-key/ports.ts"

/** What a world in memory has on record of signatures at providers. */
export type Remotes = Map<
  string,
  RemoteSigning & { readonly token: RemoteToken | null; readonly leasedUntil: Date | null }
>

export const readingRemotes = (remotes: Remotes): RemoteSigningsReading => ({
  findRemoteToken: async (releaseId) => remotes.get(releaseId)?.token ?? null,
  findRemoteSigning: async (signatureId) =>
    [...remotes.values()].findLast((one) => one.signatureId === signatureId) ?? null,
})

export function changingRemotes(remotes: Remotes): RemoteSigningsTx {
  const change = (releaseId: string, to: Partial<NonNullable<ReturnType<Remotes["get"]>>>) => {
    const known = remotes.get(releaseId)
    if (known !== undefined) remotes.set(releaseId, { ...known, ...to })
  }
  return {
    ...readingRemotes(remotes),
    insertRemoteSigning: async (signing) => {
      const empty = { mayHaveSigned: false, responseId: null, problem: null, token: null, leasedUntil: null }
      remotes.set(signing.releaseId, { ...signing, ...empty })
    },
    keepRemoteToken: async (releaseId, token) => change(releaseId, { token }),
    noteRemote: async (releaseId, noted) => change(releaseId, noted),
    leaseRemote: async (releaseId, lease) => {
      const until = remotes.get(releaseId)?.leasedUntil ?? null
      if (until !== null && until > lease.now) return false
      change(releaseId, { leasedUntil: lease.until })
      return true
    },
    returnRemote: async (releaseId, until) => {
      const isOurs = remotes.get(releaseId)?.leasedUntil?.getTime() === until.getTime()
      if (isOurs) change(releaseId, { leasedUntil: null })
      return isOurs
    },
  }
}
