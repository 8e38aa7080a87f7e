import { type ChildProcess, spawn } from "node:child_process"
import { KeyEncryptionFailed } from "../failed.ts"
import { isolatedCommand } from "./isolation.ts"
import { createLineReader, lineOf, type Open, type Reply, type Request } from "./protocol.ts"

/** One running key process. It is used until its first timeout, broken line or exit. */
export type Connection = {
  readonly process: ChildProcess
  /** The ids of its keys, once it has read them. Rejects where it cannot. */
  readonly ready: Promise<readonly string[]>
  readonly ask: (request: Omit<Request, "id" | "data">, data: Uint8Array) => Promise<Uint8Array>
  readonly end: () => void
}

export type ConnectionSettings = {
  readonly open: Open
  /** The Node executable. The default is the one that runs this process. */
  readonly node?: string
  readonly onEnd: () => void
}

const START_MS = 15_000
const CALL_MS = 5_000
/** Business keys are cached, so this many calls at once mean that the process does not keep up. */
const MAX_PENDING = 1000

type Pending = {
  readonly resolve: (data: Uint8Array) => void
  readonly reject: (error: KeyEncryptionFailed) => void
  readonly timer: NodeJS.Timeout
}

export function connect({ open, node, onEnd }: ConnectionSettings): Connection {
  const child = start(open, node)
  const pending = new Map<number, Pending>()
  const ready = Promise.withResolvers<readonly string[]>()
  // The caller may look at it after it has failed.
  ready.promise.catch(() => undefined)
  const starting = setTimeout(() => end("did not start in time"), START_MS)
  let nextId = 0
  let ended = false

  const end = (why: string, code: "down" | "refused" = "down") => {
    if (ended) return
    ended = true
    clearTimeout(starting)
    child.kill("SIGKILL")
    const failed = new KeyEncryptionFailed(code, code === "down" ? `The key process ${why}.` : why)
    ready.reject(failed)
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(failed)
    }
    pending.clear()
    onEnd()
  }
  const settle = (id: number) => {
    const one = pending.get(id)
    pending.delete(id)
    clearTimeout(one?.timer)
    return one
  }
  const onReply = (reply: Reply) => {
    if (reply.type === "ready") {
      clearTimeout(starting)
      ready.resolve(reply.ids)
    } else if (reply.type === "failed") end(reply.message, "refused")
    else if (reply.type === "done") settle(reply.id)?.resolve(Buffer.from(reply.data, "base64"))
    else settle(reply.id)?.reject(new KeyEncryptionFailed(reply.code, reply.message))
  }
  child.on("error", () => end("could not be started"))
  child.on("exit", () => end("ended"))
  child.stdin.on("error", () => end("does not read"))
  child.stdout.on(
    "data",
    guarded(
      createLineReader((message) => onReply(message as Reply)),
      end,
    ),
  )
  child.stdin.write(lineOf(open))

  const ask: Connection["ask"] = (request, data) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new KeyEncryptionFailed("down", "The key process ended."))
      if (pending.size >= MAX_PENDING)
        return reject(new KeyEncryptionFailed("down", "Too many calls wait for the key process."))
      const line = requestLine({ ...request, id: nextId, data: Buffer.from(data).toString("base64") })
      if (line === null) return reject(new KeyEncryptionFailed("corrupt", "That is too long for a key."))
      const timer = setTimeout(() => end("did not answer in time"), CALL_MS)
      pending.set(nextId, { resolve, reject, timer })
      nextId += 1
      child.stdin.write(line)
    })
  return { process: child, ready: ready.promise, ask, end: () => end("was stopped") }
}

function start(open: Open, node: string | undefined) {
  const files = [open.current, open.earlier].flatMap((one) =>
    one !== null && "file" in one ? [one.file] : [],
  )
  const { program, args } = isolatedCommand(files, node)
  // No environment: what the parent's holds is not the key process's to know.
  return spawn(program, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
}

function guarded(read: (piece: Buffer) => void, end: (why: string) => void) {
  return (piece: Buffer) => {
    try {
      read(piece)
    } catch {
      end("answers what cannot be read")
    }
  }
}

function requestLine(request: Request): string | null {
  const line = lineOf(request)
  return line.length > MAX_REQUEST ? null : line
}

/** Well below the limit of the protocol, since a wrapped key is longer than the key. */
const MAX_REQUEST = 4096
