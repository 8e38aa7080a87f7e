import { once } from "node:events"
import { createConnection } from "node:net"
import { createInterface } from "node:readline"

/**
 * Hands a mail over as a mail server does that returns it: from the empty sender (RFC 5321, 4.5.5). Answers the reply to the
 * first command that was refused, or to the mail itself.
 */
export async function handOver(port: number, to: string, message: string): Promise<number> {
  const socket = createConnection(port, "127.0.0.1")
  socket.on("error", () => undefined)
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]()
  const data = message.replace(/\r?\n/g, "\r\n").replace(/^\./gm, "..")
  let code = await reply()
  for (const command of ["EHLO mx.example.org", "MAIL FROM:<>", `RCPT TO:<${to}>`, "DATA", `${data}\r\n.`]) {
    if (code >= 400) break
    socket.write(`${command}\r\n`)
    code = await reply()
  }
  socket.end("QUIT\r\n")
  await once(socket, "close")
  return code

  /** The last line of a reply has no hyphen behind its number (4.2.1). */
  async function reply(): Promise<number> {
    for (;;) {
      const { value = "", done } = await replies.next()
      if (done) throw new Error("The listener hung up.")
      if (!/^\d{3}-/.test(value)) return Number(value.slice(0, 3))
    }
  }
}
