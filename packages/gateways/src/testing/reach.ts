import { createSocket } from "node:dgram"
import { once } from "node:events"
import { connect, createServer } from "node:net"

/** Ports on the loopback of whoever listens. */
export type Addresses = { readonly tcp4: number; readonly tcp6: number; readonly udp4: number }

/** For tests: what comes of calling at each of these ports, "reached" or the error. */
export async function reach({ tcp4, tcp6, udp4 }: Addresses): Promise<Record<keyof Addresses, string>> {
  return { tcp4: await call("127.0.0.1", tcp4), tcp6: await call("::1", tcp6), udp4: await query(udp4) }
}

function call(host: string, port: number): Promise<string> {
  const socket = connect({ host, port })
  return outcome(once(socket, "connect")).finally(() => socket.destroy())
}

async function query(port: number): Promise<string> {
  const socket = createSocket("udp4")
  const answered = outcome(once(socket, "message"))
  socket.send("?", port, "127.0.0.1", (error) => {
    if (error) socket.emit("error", error)
  })
  return answered.finally(() => socket.close())
}

function outcome(event: Promise<unknown>): Promise<string> {
  return event.then(
    () => "reached",
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
}

/** For tests: somebody who answers at each of these ports. */
export async function answering(): Promise<{ readonly addresses: Addresses; readonly close: () => void }> {
  const four = createServer((socket) => socket.end()).listen(0, "127.0.0.1")
  const six = createServer((socket) => socket.end()).listen(0, "::1")
  const datagrams = createSocket("udp4").bind(0, "127.0.0.1")
  datagrams.on("message", (_, { port, address }) => datagrams.send("!", port, address))
  await Promise.all([four, six, datagrams].map((one) => once(one, "listening")))
  const portOf = (address: ReturnType<typeof four.address>) =>
    typeof address === "object" && address !== null ? address.port : 0
  return {
    addresses: {
      tcp4: portOf(four.address()),
      tcp6: portOf(six.address()),
      udp4: datagrams.address().port,
    },
    close: () => {
      four.close()
      six.close()
      datagrams.close()
    },
  }
}
