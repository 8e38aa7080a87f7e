import { spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it, vi } from "vitest"
import { localFileKeyEncryption } from "../local-file.ts"
import { wrapsAndUnwraps } from "../testing/wraps-and-unwraps.ts"
import { connect } from "./connection.ts"
import { isolatedCommand } from "./isolation.ts"
import { startKeyProcess } from "./key-process.ts"
import { createLineReader, MAX_LINE_BYTES } from "./protocol.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-key-process-"))
const hex = (): string => randomBytes(32).toString("hex")
const fileOf = (name: string, content: string): string => {
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}
const [key, older, oldest] = [hex(), hex(), hex()]
const current = { file: fileOf("kek", `${key}\n`) }
const earlier = { file: fileOf("earlier", `${older}, ${oldest}\n`) }
const running = await startKeyProcess({ current, earlier })
const inFile = running.current ?? running.earlier[0]
if (inFile === undefined) throw new Error("The key process has no key.")
const provider = inFile
const idOf = (one: string): string => localFileKeyEncryption({ key: one }).id

afterAll(async () => {
  await Promise.all([provider, ...running.earlier].map((each) => each.close()))
  rmSync(folder, { recursive: true })
})

describe("[B6] a key in a file, in a process of its own", () => {
  wrapsAndUnwraps(() => provider)

  it("has the id of the key, and so have the earlier ones", () => {
    expect([provider.id, ...running.earlier.map(({ id }) => id)]).toEqual([key, older, oldest].map(idOf))
  })

  it("opens what the same key wrapped in another process, each by its own key", async () => {
    for (const [one, hexOfOne] of [
      [running.earlier[0], older],
      [running.earlier[1], oldest],
    ] as const) {
      const secret = randomBytes(32)
      const wrapped = await localFileKeyEncryption({ key: hexOfOne }).wrap(secret, "business a")
      expect(await one?.unwrap(wrapped, "business a")).toEqual(secret)
      await expect(provider.unwrap(wrapped, "business a")).rejects.toMatchObject({ code: "corrupt" })
    }
  })

  it("answers four hundred calls at once, each with its own result", async () => {
    const secrets = Array.from({ length: 400 }, () => randomBytes(32))
    const wrapped = await Promise.all(secrets.map((each, n) => provider.wrap(each, `business ${n}`)))
    const opened = await Promise.all(wrapped.map((each, n) => provider.unwrap(each, `business ${n}`)))
    expect(opened).toEqual(secrets)
  })

  it("refuses what is too long for a key before it is sent, and goes on", async () => {
    await expect(provider.wrap(randomBytes(10_000), "a")).rejects.toMatchObject({ code: "corrupt" })
    await provider.health()
  })

  it("is started again when it is killed, and calls are rejected as down until then", async () => {
    const wrapped = await provider.wrap(Buffer.from(key, "hex"), "business a")
    const before = running.pid() ?? 0
    const under = Array.from({ length: 20 }, () => provider.wrap(randomBytes(32), "a"))
    process.kill(before, "SIGKILL")
    for (const each of await Promise.allSettled(under))
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "down" })
    await vi.waitUntil(() => running.pid() !== before)
    await expect(provider.unwrap(wrapped, "business a")).rejects.toMatchObject({ code: "down" })
    await vi.waitUntil(() => running.pid() !== undefined, { timeout: 20_000 })
    expect(await provider.unwrap(wrapped, "business a")).toEqual(Buffer.from(key, "hex"))
  }, 30_000)
})

describe("[B6] the key process", () => {
  it("has no environment, no argument with a key, and starts no debugger on a signal", async () => {
    const of = `/proc/${running.pid()}`
    expect(readFileSync(`${of}/environ`, "utf8")).toBe("")
    const command = readFileSync(`${of}/cmdline`, "utf8")
    expect(command).not.toContain(key)
    expect(command).toContain("--disable-sigusr1")
    process.kill(running.pid() ?? 0, "SIGUSR1")
    await provider.health()
  })

  it("can leave no core dump and write no file, and is told so by the kernel", () => {
    const limits = readFileSync(`/proc/${running.pid()}/limits`, "utf8")
    expect(limits).toMatch(/Max core file size +0 +0/)
    expect(limits).toMatch(/Max file size +0 +0/)
    expect(readFileSync(`/proc/${running.pid()}/status`, "utf8")).toMatch(/NoNewPrivs:\s+1/)
    expect(running.isolation()).toMatchObject({ coreDumps: "none", privileges: "dropped" })
  })

  it("may read its program and the key files, and nothing else", () => {
    const { args } = isolatedCommand([current.file])
    const readable = args.filter((arg) => arg.startsWith("--allow-fs-read="))
    expect(args).toContain("--permission")
    expect(args.filter((arg) => arg.startsWith("--allow-") && !arg.startsWith("--allow-fs-read="))).toEqual(
      [],
    )
    for (const one of readable) expect(one).toMatch(/\/key-encryption\/\*$|@?\/?seal\/\*$|\/kek$/)
  })

  it("does not start with a file that is missing, empty or no key, and never shows its content", async () => {
    const refused = async (file: string): Promise<string> => {
      const failed = await startKeyProcess({ current: { file }, earlier: null }).catch((error) => error)
      expect(failed).toMatchObject({ name: "KeyEncryptionFailed", code: "refused" })
      return failed.message
    }
    expect(await refused(join(folder, "none"))).toContain("cannot be read (ENOENT)")
    expect(await refused(fileOf("empty", ""))).toBe("KEK: expected 1 to 1 keys, got 0.")
    expect(await refused(fileOf("two", `${key},${older}`))).toBe("KEK: expected 1 to 1 keys, got 2.")
    expect(await refused(fileOf("canary", "a canary"))).toBe("KEK: not 32 bytes in hex.")
    expect(await refused(fileOf("large", "ab".repeat(5000)))).toContain("too large")
  }, 60_000)

  it("ends with a line that is too long or no JSON, on either side", async () => {
    const read = createLineReader(() => undefined)
    expect(() => read(Buffer.alloc(MAX_LINE_BYTES + 1, "a"))).toThrow("longer than")
    expect(() => createLineReader(() => undefined)(Buffer.from("no JSON\n"))).toThrow()
    const { promise, resolve } = Promise.withResolvers<void>()
    const connection = connect({ open: { current, earlier: null }, onEnd: resolve })
    await connection.ready
    connection.process.stdin?.write(`${"x".repeat(MAX_LINE_BYTES + 10)}\n`)
    await promise
    await expect(
      connection.ask({ operation: "wrap", key: 0, context: "a" }, randomBytes(32)),
    ).rejects.toMatchObject({ code: "down" })
  })

  it("ends when its parent closes the pipe, and lets signals of a terminal pass", async () => {
    const connection = connect({ open: { current, earlier: null }, onEnd: () => undefined })
    await connection.ready
    const { pid } = connection.process
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.kill(pid ?? 0, signal)
    await connection.ask({ operation: "wrap", key: 0, context: "a" }, randomBytes(32))
    connection.process.stdin?.end()
    await vi.waitUntil(() => connection.process.exitCode !== null)
    expect(connection.process.exitCode).toBe(0)
  })

  // As in the image: the user of the service may execute Node and not read it. Root may read everything, so root becomes another user.
  it("is closed to other processes of its user where they may execute Node and not read it", async () => {
    const node = join(folder, "node")
    copyFileSync(process.execPath, node)
    chmodSync(folder, 0o755)
    const asUser = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const tried = async (mode: number) => {
      chmodSync(node, mode)
      const script = "process.stdout.write('up'); process.stdin.resume()"
      const child = spawn(node, ["-e", script], asUser)
      await once(child.stdout, "data")
      const files = ["environ", "maps", "mem"].map((name) => `/proc/${child.pid}/${name}`)
      const reading = 'for f in "$@"; do ( : < "$f" ) 2>/dev/null && echo open || echo refused; done'
      const { stdout } = spawnSync("/bin/sh", ["-c", reading, "sh", ...files], {
        ...asUser,
        encoding: "utf8",
      })
      const owner = statSync(`/proc/${child.pid}/environ`).uid
      child.kill("SIGKILL")
      return { found: stdout.trim().split("\n"), isOfUser: owner === (asUser.uid ?? process.geteuid?.()) }
    }
    expect(await tried(0o755)).toEqual({ found: ["open", "open", "open"], isOfUser: true })
    expect(await tried(0o111)).toEqual({ found: ["refused", "refused", "refused"], isOfUser: false })
  })
})
