import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import { expect, it } from "vitest"
import { createMailer } from "./mailer.ts"

it("[13.2.1] a password that was replaced in its file counts for the next mail", async () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-mailer-"))
  const passwordFile = join(folder, "password")
  const shown: string[] = []
  let valid = "first"
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      shown.push(`${username} ${password}`)
      if (password === valid) done(null, { user: username })
      else done(new Error("wrong"))
    },
    onData: (stream, _, done) => stream.resume().on("end", () => done()),
  })
  server.on("error", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  writeFileSync(passwordFile, "first\n")
  const mailer = createMailer({
    url: `smtp://pa%40raph@127.0.0.1:${port}`,
    from: "Paraph <no-reply@paraph.test>",
    passwordFile,
  })
  const send = () => mailer.send({ to: "ann@paraph.test", subject: "One", text: "one", html: "one" })
  await send()
  await send()
  valid = "second"
  writeFileSync(passwordFile, "second\n")
  await send()
  expect(shown).toEqual(["pa@raph first", "pa@raph second"])
  mailer.close()
  await new Promise<void>((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})
