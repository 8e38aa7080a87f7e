import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { KeysFailed } from "./failed.ts"
import {
  blindsTheProcess,
  endsTheProcess,
  type FromChild,
  isMadeAlone,
  type Operation,
  SESSIONS,
  type ToChild,
  type TokenSettings,
} from "./protocol.ts"

export type Call = {
  readonly operation: Operation
  readonly timeoutMs: number
  readonly resolve: (value: Uint8Array | null) => void
  readonly reject: (error: KeysFailed) => void
}

export type KeyProcess = {
  readonly process: ChildProcess
  /** Whether it can begin with that one now. */
  readonly hasRoomFor: (operation: Operation) => boolean
  readonly run: (call: Call) => void
  readonly end: (why: KeysFailed) => void
}

type Told = {
  /** A call is over, so there is room for the next. */
  readonly onFree: () => void
  /** Told once, before the calls in flight are rejected: nothing more may be given to this process. */
  readonly onEnd: (why: KeysFailed) => void
}

/** Starts one process that opens the token. It lives until its first device error, hang, key that is not there, or `end`. */
export function startKeyProcess(
  token: TokenSettings,
  env: Readonly<Record<string, string>>,
  { onFree, onEnd }: Told,
): KeyProcess {
  const child = fork(fileURLToPath(new URL("./child.ts", import.meta.url)), {
    env,
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const running = new Map<number, { readonly call: Call; readonly timer: NodeJS.Timeout }>()
  let nextId = 0
  let ended = false
  let left = false

  /** Nobody gives it another call; what it has begun comes to its end. */
  const leave = (why: KeysFailed) => {
    if (left) return
    left = true
    onEnd(why)
  }
  const end = (why: KeysFailed) => {
    if (ended) return
    ended = true
    child.kill("SIGKILL")
    leave(why)
    for (const id of [...running.keys()]) take(id)?.reject(why)
  }
  const take = (id: number) => {
    const taken = running.get(id)
    running.delete(id)
    clearTimeout(taken?.timer)
    return taken?.call
  }
  const send = (message: ToChild) =>
    child.send(message, (cause) => {
      if (cause) end(new KeysFailed("device", "The key process cannot be reached.", { cause }))
    })

  child.on("error", (cause) => end(new KeysFailed("device", "The key process failed.", { cause })))
  child.on("exit", () => end(new KeysFailed("device", "The key process ended.")))
  child.on("message", (message: FromChild) => {
    const call = message.id === undefined ? undefined : take(message.id)
    if (message.type === "done") call?.resolve(message.value)
    else {
      const failed = new KeysFailed(message.failure.code, message.failure.message)
      call?.reject(failed)
      if (endsTheProcess(message.failure)) end(failed)
      if (blindsTheProcess(message.failure)) leave(failed)
    }
    if (left && running.size === 0) end(new KeysFailed("device", "The key process was left."))
    onFree()
  })
  send({ type: "open", module: token.module, tokenLabel: token.tokenLabel, pinFile: token.pinFile })

  const run = (call: Call) => {
    const id = nextId++
    const late = () => end(new KeysFailed("timeout", "The token did not answer in time."))
    running.set(id, { call, timer: setTimeout(late, call.timeoutMs) })
    send({ type: "run", id, operation: call.operation })
  }
  const hasRoomFor = (operation: Operation) => {
    if (isMadeAlone(operation)) return running.size === 0
    return running.size < SESSIONS && ![...running.values()].some(({ call }) => isMadeAlone(call.operation))
  }
  return { process: child, hasRoomFor, run, end }
}
