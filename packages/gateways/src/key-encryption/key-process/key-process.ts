import { KeyEncryptionFailed } from "../failed.ts"
import type { KeyEncryption } from "../key-encryption.ts"
import { prove } from "../prove.ts"
import { type Connection, connect } from "./connection.ts"
import { type Isolation, isolatedCommand, memoryOf } from "./isolation.ts"
import type { Open } from "./protocol.ts"

export type KeyProcess = {
  /** Null where only earlier keys are in files. */
  readonly current: KeyEncryption | null
  readonly earlier: readonly KeyEncryption[]
  readonly pid: () => number | undefined
  readonly isolation: () => Isolation
}

export type KeyProcessSettings = Open & { readonly node?: string }

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/**
 * Starts the process that holds the keys in files, and starts it again when it ends. Meanwhile calls are rejected as `down`. Resolves
 * when it has read its keys; rejects where it cannot.
 */
export async function startKeyProcess(settings: KeyProcessSettings): Promise<KeyProcess> {
  const { current, earlier, node } = settings
  const files = [current, earlier].flatMap((one) => (one !== null && "file" in one ? [one.file] : []))
  let connection: Connection | null = null
  let latest: Connection | null = null
  let restart: NodeJS.Timeout | undefined
  let pauseMs = FIRST_PAUSE_MS
  let open = 0

  const begin = (): Connection => {
    const begun = connect({
      open: { current, earlier },
      ...(node !== undefined && { node }),
      onEnd: () => {
        connection = null
        if (open === 0) return
        restart = setTimeout(again, pauseMs)
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      },
    })
    latest = begun
    return begun
  }
  const again = () => {
    const begun = begin()
    begun.ready.then(
      (found) => {
        // A file with other keys is a new configuration, and ids must not change under a running server.
        if (found.join() !== ids.join()) return begun.end()
        pauseMs = FIRST_PAUSE_MS
        connection = begun
      },
      () => undefined,
    )
  }
  const first = begin()
  const ids = await first.ready
  connection = first
  open = ids.length

  const close = () => {
    open -= 1
    if (open > 0) return
    clearTimeout(restart)
    latest?.end()
  }
  const keys = ids.map((id, key) => keyEncryption(id, key, () => connection, close))
  return {
    current: current === null ? null : (keys[0] ?? null),
    earlier: current === null ? keys : keys.slice(1),
    pid: () => connection?.process.pid,
    isolation: () => ({
      ...isolatedCommand(files).isolation,
      memory: memoryOf(connection?.process.pid),
    }),
  }
}

function keyEncryption(
  id: string,
  key: number,
  connected: () => Connection | null,
  onClose: () => void,
): KeyEncryption {
  let closed = false
  const ask = async (operation: "wrap" | "unwrap", data: Uint8Array, context: string) => {
    if (closed) throw new KeyEncryptionFailed("down", "The key file is closed.")
    const connection = connected()
    if (connection === null) throw new KeyEncryptionFailed("down", "The key process is being restarted.")
    return connection.ask({ operation, key, context }, data)
  }
  const wrap = (secret: Uint8Array, context: string) => ask("wrap", secret, context)
  const unwrap = (wrapped: Uint8Array, context: string) => ask("unwrap", wrapped, context)
  const close = async () => {
    if (!closed) onClose()
    closed = true
  }
  return { id, wrap, unwrap, health: () => prove({ wrap, unwrap }), close }
}
