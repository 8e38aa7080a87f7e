// One edge of the network: whatever goes over it can be held, slowed, cut or refused.
import { connect, createServer, type Server, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

export type Weather =
  | { readonly type: "fair" }
  /** Each piece comes so much later, both ways. */
  | { readonly type: "late"; readonly ms: number }
  /** So many bytes a second at most, both ways. */
  | { readonly type: "thin"; readonly bytesPerSecond: number }
  /** Connections stand, and nothing comes through: one way, or both. */
  | { readonly type: "silent"; readonly ways: "there" | "back" | "both" }
  /** Connections are refused. */
  | { readonly type: "closed" }

export type Edge = {
  readonly port: number
  readonly change: (weather: Weather) => void
  /** Breaks every connection that stands. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

export async function startEdge(port: number, to: () => number): Promise<Edge> {
  let weather: Weather = { type: "fair" }
  let changed = Promise.withResolvers<void>()
  const pairs = new Set<readonly [Socket, Socket]>()
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
  }
  const passes = (way: "there" | "back") =>
    weather.type !== "silent" || (weather.ways !== "both" && weather.ways !== way)

  const carry = async (from: Socket, into: Socket, way: "there" | "back") => {
    for await (const piece of from as AsyncIterable<Buffer>) {
      while (!passes(way)) await changed.promise
      if (weather.type === "late") await pause(weather.ms)
      if (weather.type === "thin") await pause((piece.length / weather.bytesPerSecond) * 1000)
      if (!into.write(piece))
        await new Promise((resolve) => into.once("drain", resolve).once("close", resolve))
    }
    into.end()
  }
  const server: Server = createServer((near) => {
    if (weather.type === "closed") return void near.resetAndDestroy()
    const far = connect({ port: to(), host: "127.0.0.1" })
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.setNoDelay(true)
      one.on("error", () => other.resetAndDestroy())
      one.on("close", () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
    carry(near, far, "there").catch(() => undefined)
    carry(far, near, "back").catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    port,
    change: (next) => {
      weather = next
      changed.resolve()
      changed = Promise.withResolvers()
      if (next.type === "closed") cut()
    },
    cut,
    close: async () => {
      changed.resolve()
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
