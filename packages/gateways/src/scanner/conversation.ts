// One connection to clamd, one command, one answer (clamd(8)).
import { connect, isIP, type NetConnectOpts, type Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { type ConnectionOptions, connect as connectTls } from "node:tls"
import { ScannerFailed } from "./failed.ts"

export type ConversationLimits = {
  readonly connectMs: number
  /** How long the scanner may leave a piece untaken that it is offered. */
  readonly idleMs: number
  readonly totalMs: number
}

export type Conversation = {
  /** With the NUL that ends it, unless the connection ended first. */
  readonly answer: string
  /** Null when the answer came before everything was sent. */
  readonly sentBytes: number | null
}

const MAX_CHUNK_BYTES = 1_048_576
const MAX_ANSWER_LENGTH = 4_096

/** Everything that goes wrong is a `ScannerFailed`, but for a fault of the source, which is thrown as it is. */
export async function converse(
  address: ScannerAddress,
  command: string | Uint8Array,
  limits: ConversationLimits,
  bytes?: AsyncIterable<Uint8Array>,
): Promise<Conversation> {
  const isTls = "tls" in address
  const socket = isTls ? connectTls(address.tls) : connect(address)
  const give = (code: "down" | "timeout", message: string) => () =>
    void socket.destroy(new ScannerFailed(code, message))
  const unreached = setTimeout(give("down", "The scanner cannot be reached."), limits.connectMs)
  const unfinished = setTimeout(give("timeout", "The scanner took too long."), limits.totalMs)
  // With TLS, once the other side has shown its certificate; nothing is sent before.
  socket.once(isTls ? "secureConnect" : "connect", () => clearTimeout(unreached))
  let sentBytes: number | null = null
  try {
    const heard = hear(socket)
    const sent = send(socket, command, limits.idleMs, bytes).then((count) => {
      sentBytes = count
      return heard
    })
    // An early answer ends the sending too: clamd refuses what is too large before it has all of it.
    const answer = await Promise.race([heard, sent])
    return { answer, sentBytes }
  } finally {
    clearTimeout(unreached)
    clearTimeout(unfinished)
    socket.destroy()
  }
}

export type ScannerAddress = NetConnectOpts | { readonly tls: ConnectionOptions }

/** PEM. clamd speaks no TLS itself: a proxy in front of it does. */
export type ScannerTls = { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer }

/** `unix:/run/clamav/clamd.sock`, `tls://scanner:3311` or `tcp://scanner:3310`. */
export function readAddress(address: string, certificates: ScannerTls = {}): ScannerAddress {
  if (address.startsWith("unix:/")) return { path: address.slice("unix:".length) }
  const { protocol, hostname, port } = new URL(address)
  if (!/^(tcp|tls):$/.test(protocol) || hostname === "" || port === "")
    throw new Error("The scanner's address is neither unix:/path nor tls://host:port nor tcp://host:port.")
  const host = hostname.replace(/^\[|\]$/g, "")
  const to = { host, port: Number(port) }
  if (protocol === "tcp:") return to
  // RFC 6066, 3: an address is no server name. The certificate is checked against the host in any case.
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return { tls: { ...to, ...servername, ...certificates, minVersion: "TLSv1.2", rejectUnauthorized: true } }
}

function hear(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    socket.setEncoding("latin1")
    socket.on("data", (piece: string) => {
      text += piece
      if (text.includes("\0") || text.length > MAX_ANSWER_LENGTH) resolve(text)
    })
    socket.once("end", () => resolve(text))
    socket.once("close", () => resolve(text))
    socket.on("error", (error) =>
      reject(
        error instanceof ScannerFailed
          ? error
          : new ScannerFailed("down", "The connection to the scanner failed.", { cause: error }),
      ),
    )
  })
}

/**
 * INSTREAM: each chunk with its length before it, and a length of 0 at the end. One chunk is on its way at a time, so
 * a slow scanner slows the source down. Gives null when the connection went away, about which `hear` has the word.
 */
async function send(
  socket: Socket,
  command: string | Uint8Array,
  idleMs: number,
  bytes?: AsyncIterable<Uint8Array>,
): Promise<number | null> {
  if (!(await write(socket, idleMs, Buffer.from(command as string)))) return null
  if (bytes === undefined) return 0
  let count = 0
  // An empty piece makes no chunk: it would say that the document ends here.
  for await (const piece of bytes)
    for (let start = 0; start < piece.length; start += MAX_CHUNK_BYTES) {
      const chunk = piece.subarray(start, start + MAX_CHUNK_BYTES)
      // An answer that is here already must be read first: writing to who has closed would throw it away unread.
      await nextTurn()
      if (!(await write(socket, idleMs, lengthOf(chunk.length), chunk))) return null
      count += chunk.length
    }
  return (await write(socket, idleMs, lengthOf(0))) ? count : null
}

function write(socket: Socket, idleMs: number, ...parts: readonly Uint8Array[]): Promise<boolean> {
  if (!socket.writable) return Promise.resolve(false)
  return new Promise((resolve) => {
    const stalled = () => socket.destroy(new ScannerFailed("timeout", "The scanner takes no more bytes."))
    const timer = setTimeout(stalled, idleMs)
    const done = (error?: Error | null) => {
      clearTimeout(timer)
      resolve(!error && socket.writable)
    }
    socket.cork()
    for (const [index, part] of parts.entries())
      socket.write(part, index === parts.length - 1 ? done : undefined)
    socket.uncork()
  })
}

export function lengthOf(count: number): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(count)
  return length
}
