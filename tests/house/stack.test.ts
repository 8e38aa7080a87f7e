import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:https"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { down, type Stack, status, up } from "../../scripts/stack/stack.ts"
import { readState, writeState } from "../../scripts/stack/state.ts"

let dir: string
let stack: Stack

beforeAll(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "paraph-stack-test-")), "stack")
  stack = await up(dir, { fast: true })
})

afterAll(async () => {
  await down(dir, { purge: true })
  await rm(join(dir, ".."), { recursive: true })
})

it("runs beside another stack", async () => {
  expect(inject("stackDir")).not.toBe(dir)
  expect(await healthy(inject("stackDir"))).toEqual(["postgres", "s3", "clamd", "mailbox", "trust"])
  expect(await healthy(dir)).toEqual(["postgres", "s3", "clamd", "mailbox", "trust"])
})

it("keeps what is running", async () => {
  const again = await up(dir)
  expect(again.started).toEqual([])
  expect(again.env).toEqual(stack.env)
})

it("starts again what was killed, under the same settings, and nothing else", async () => {
  for (const name of ["postgres", "s3", "clamd", "mailbox", "trust"] as const) {
    process.kill(stack.services[name].process.pid, "SIGKILL")
    const healed = await up(dir, { fast: true })
    expect(healed.started).toEqual([name])
    expect(healed.env).toEqual(stack.env)
    stack = healed
  }
  expect(await healthy(dir)).toEqual(["postgres", "s3", "clamd", "mailbox", "trust"])
})

it("does not stop a stranger who has the process number of a service", async () => {
  const stranger = spawn("sleep", ["60"])
  await once(stranger, "spawn")
  const state = await readState(dir)
  const s3 = { ...stack.services.s3, process: { pid: stranger.pid ?? 0, startedAt: "long ago" } }
  await writeState(dir, { ...state, services: { ...state.services, s3 } })
  expect(await healthy(dir)).toEqual(["postgres", "clamd", "mailbox", "trust"])
  await writeState(dir, { ...state, services: { mailbox: s3 } })
  await down(dir)
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
  await writeState(dir, state)
})

it("keeps caught mails over a restart, and gives each reader their own", async () => {
  const from = stack.env.MAIL_FROM
  await deliver(
    "ann@paraph.test",
    `From: ${from}\r\nSubject: =?utf-8?Q?F=C3=BCr_Ann?=\r\nContent-Type: text/html\r\n\r\n<b>one</b>`,
  )
  await deliver("bob@paraph.test", `From: ${from}\r\nSubject: For Bob\r\n\r\ntwo`)
  process.kill(stack.services.mailbox.process.pid, "SIGKILL")
  stack = await up(dir, { fast: true })

  const answer = await fetch(`${stack.env.MAILBOX_URL}/mails.json?to=Ann@paraph.test`)
  expect(await answer.json()).toMatchObject([
    { id: 1, from, to: ["ann@paraph.test"], subject: "Für Ann", html: "<b>one</b>\n" },
  ])
  const page = await (await fetch(`${stack.env.MAILBOX_URL}/mails/1`)).text()
  expect(page).toContain("&#60;b&#62;one")
  expect(page).not.toContain("<b>one")

  expect((await fetch(`${stack.env.MAILBOX_URL}/mails`, { method: "DELETE" })).status).toBe(204)
  expect(await (await fetch(`${stack.env.MAILBOX_URL}/mails.json`)).json()).toEqual([])
})

it("writes secrets that only their owner can read", async () => {
  const named = [
    "S3_SECRET_KEY",
    "KEY_PEPPER",
    "KEK",
    "TOKEN_KEY",
    "PKCS11_DEMO_PIN",
    "PKCS11_PRODUCTION_PIN",
  ]
  const paths = [...named.map((name) => stack.env[`${name}_FILE`] ?? name), join(dir, "env")]
  for (const path of paths) expect((await stat(path)).mode & 0o777, path).toBe(0o600)
})

it("has a certificate for this machine that its own CA vouches for", async () => {
  const tls = {
    key: await readFile(join(dir, "tls/server.key")),
    cert: await readFile(join(dir, "tls/server.pem")),
  }
  const server = createServer(tls, (_, response) => response.end("hello")).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const script = `fetch("https://localhost:${port}").then((r) => r.text()).then((t) => process.stdout.write(t))`
  // Node reads extra CAs only when it starts, so the client is a process of its own.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: stack.env.OUTBOUND_CA_FILE }
  const client = spawn(process.execPath, ["-e", script], { env })
  let heard = ""
  client.stdout.on("data", (chunk) => {
    heard += chunk
  })
  await once(client, "close")
  server.close()
  expect(heard).toBe("hello")
})

async function healthy(folder: string): Promise<string[]> {
  return (await status(folder)).filter((one) => one.healthy).map(({ name }) => name)
}

/** SMTP as RFC 5321 has it: one command, one answer. */
async function deliver(to: string, message: string): Promise<void> {
  const { hostname, port } = new URL(stack.env.SMTP_URL ?? "")
  const socket = connect(Number(port), hostname)
  const commands = [
    "EHLO localhost",
    "MAIL FROM:<a@paraph.test>",
    `RCPT TO:<${to}>`,
    "DATA",
    `${message}\r\n.`,
    "QUIT",
  ]
  for (const command of commands) {
    const [answer] = (await once(socket, "data")) as [Buffer]
    expect(answer.toString()).toMatch(/^[23]/)
    socket.write(`${command}\r\n`)
  }
  await once(socket, "close")
}
