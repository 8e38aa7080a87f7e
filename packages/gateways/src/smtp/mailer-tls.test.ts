import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import { expect, inject, it } from "vitest"
import { createMailer } from "./mailer.ts"

const ofStack = (name: string): Buffer => readFileSync(join(inject("stackDir"), "tls", name))

/** Sends one mail to a server with or without STARTTLS; answers what went wrong, and whether the server got any of it. */
async function send(options: { readonly offers: boolean; readonly requireTls: boolean }) {
  let got = ""
  const server = new SMTPServer({
    disabledCommands: options.offers ? [] : ["STARTTLS"],
    authOptional: true,
    key: ofStack("server.key"),
    cert: ofStack("server.pem"),
    onMailFrom: ({ address }, _, done) => {
      got += address
      done()
    },
    onData: (stream, _, done) => stream.resume().on("end", () => done()),
  })
  server.on("error", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  const mailer = createMailer({
    url: `smtp://localhost:${port}`,
    from: "Paraph <no-reply@paraph.test>",
    requireTls: options.requireTls,
  })
  const failed = await mailer.send({ to: "ann@paraph.test", subject: "One", text: "one", html: "one" }).then(
    () => null,
    (error: Error) => error.name,
  )
  mailer.close()
  await new Promise<void>((resolve) => server.close(resolve))
  return { failed, got }
}

it("[12.3.1] sends nothing to a mail server without STARTTLS where TLS is required, not even the sender", async () => {
  expect(await send({ offers: false, requireTls: true })).toEqual({ failed: "MailFailed", got: "" })
  expect(await send({ offers: false, requireTls: false })).toMatchObject({
    failed: null,
    got: "no-reply@paraph.test",
  })
})

it("[12.3.1] sends nothing to a mail server whose certificate nobody vouches for", async () => {
  expect(await send({ offers: true, requireTls: true })).toEqual({ failed: "MailFailed", got: "" })
})
