import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { copyFile, readdir, rename, truncate, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { intentsNoted, noteIntents } from "../service/noted-intents.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { type OwnStack, startOwnStack } from "./own-stack.ts"

const PYTHON = resolve(import.meta.dirname, "../../.tools/pyhanko/bin/python")
const content = contractPdf().toString("base64")
/** The promise is ten seconds from the return of the device to a finished document, on a machine that has nothing else to do. */
const RETURN_MS = 10_000

// Security, R33: whatever the device does, a signature waits for it, visibly, and is made once when it is back.
describe("the HSM with the signing keys", { timeout: 300_000 }, () => {
  let stack: OwnStack
  let service: Service
  let worker: ServerProcess
  let tokens: string
  let pinFile: string
  const took: Record<string, number> = {}
  beforeAll(async () => {
    stack = await startOwnStack()
    tokens = join(dirname(stack.env.SOFTHSM2_CONF ?? ""), "tokens")
    pinFile = join(stack.dir, "pin-of-the-test")
    await copyFile(stack.env.PKCS11_DEMO_PIN_FILE ?? "", pinFile)
    service = await startService({ stack, env: { PKCS11_DEMO_PIN_FILE: pinFile } })
    await noteIntents(service)
    worker = service.worker
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await stack?.close()
  })

  const read = async (id: string) => (await service.caller.get(`/v2/signature-requests/${id}`)).body
  const begin = async () => {
    const address = `signer-${randomUUID()}@example.org`
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Contract",
      content,
      signatures: [{ account_email: address }],
    })
    const signer = await openSession(service.url, await stack.linkMailedTo(address))
    return { id: body.id as string, signer }
  }
  const waits = (id: string) =>
    until("it waits for the keys", async () => (await read(id)).signatures[0].waiting_for === "KEYS", 240_000)
  const isSigned = async (id: string, what: string) => {
    const since = performance.now()
    await until("it is SIGNED", async () => (await read(id)).status_overall === "SIGNED", 240_000)
    took[what] = Math.round(performance.now() - since)
  }
  /** One intent with one value, one mark on record, and one signature in the document. */
  const expectOnce = async (id: string) => {
    const { document_id, signatures } = await read(id)
    expect(signatures[0].waiting_for).toBeNull()
    const { bytes } = await service.caller.get(`/v2/documents/${document_id}/content`)
    const kinds = readSignatures(openPdf(bytesSource(bytes))).map(({ type }) => type)
    expect(kinds).toEqual(["approval", "document-timestamp"])
    expect(await intentsNoted(service, id)).toBe("1|1")
    const marks = `select count(*) from evidence where request_id = '${id}' and type = 'mark.made'`
    expect(await service.sql(marks)).toBe("1")
  }
  /** The worker's processes that hold a token. */
  const keyProcesses = () =>
    execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(worker.pid)], { encoding: "utf8" })
      .split("\n")
      .flatMap((line) => (line.includes("keys-pkcs11/child") ? [Number.parseInt(line, 10)] : []))

  it("[R33] is away, for longer than the first pauses: KEYS, and it is signed within ten seconds of its return", async () => {
    const { id, signer } = await begin()
    await rename(tokens, `${tokens}-away`)
    for (const pid of keyProcesses()) process.kill(pid, "SIGKILL")
    try {
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await waits(id)
      expect((await signer.view()).body.screen).toBe("working")
      // Its own next attempt is far away by now; so what wakes it is the return of the device.
      await service.sql("update jobs.job set start_after = now() + interval '1 hour' where state = 'retry'")
      expect(await service.sql("select count(*) from jobs.job where state = 'retry'")).toBe("1")
    } finally {
      await rename(`${tokens}-away`, tokens)
    }
    await isSigned(id, "away")
    expect(took.away).toBeLessThan(RETURN_MS)
    await expectOnce(id)
  })

  it("hangs in the middle of its work, as behind a lock that nobody gives back: KEYS, and once", async () => {
    const { id, signer } = await begin()
    const holder = await holdLocks(tokens)
    try {
      for (const pid of keyProcesses()) process.kill(pid, "SIGKILL")
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await waits(id)
    } finally {
      await release(holder)
    }
    await isSigned(id, "hung")
    await expectOnce(id)
  })

  it("stands still: its process is stopped and never answers; it is given up, and a new one signs", async () => {
    const { id, signer } = await begin()
    const stopped = keyProcesses()
    for (const pid of stopped) process.kill(pid, "SIGSTOP")
    expect((await signer.press("Ada Lovelace")).status).toBe(202)
    await isSigned(id, "stopped")
    await expectOnce(id)
    const left = keyProcesses().filter((pid) => stopped.includes(pid))
    // Whom nobody has asked since, nobody has missed: the process of a token that this signature does not need.
    expect(left.length).toBeLessThan(stopped.length)
    for (const pid of left) process.kill(pid, "SIGCONT")
  })

  it("answers with an error, since what it keeps is damaged: KEYS, until it is whole again", async () => {
    const { id, signer } = await begin()
    const objects = (await readdir(tokens, { recursive: true })).filter((name) => name.endsWith(".object"))
    const files = objects.map((name) => join(tokens, name)).filter((name) => !name.endsWith("token.object"))
    for (const file of files) {
      await copyFile(file, `${file}.whole`)
      await truncate(file, 40)
    }
    for (const pid of keyProcesses()) process.kill(pid, "SIGKILL")
    try {
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await waits(id)
    } finally {
      for (const file of files) await rename(`${file}.whole`, file)
    }
    await isSigned(id, "damaged")
    await expectOnce(id)
  })

  it("dies again and again while it signs: no value is lost or made twice", async () => {
    const { id, signer } = await begin()
    const killing = setInterval(() => {
      for (const pid of keyProcesses()) process.kill(pid, "SIGKILL")
    }, 50)
    try {
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await waits(id)
    } finally {
      clearInterval(killing)
    }
    await isSigned(id, "killed")
    await expectOnce(id)
  })

  it("does not take the PIN: asked once and no more, KEYS, and signed when a worker starts with the right one", async () => {
    const { id, signer } = await begin()
    await worker.stop()
    await writeFile(pinFile, "000000")
    worker = await service.startWorker()
    expect((await signer.press("Ada Lovelace")).status).toBe(202)
    await waits(id)
    await copyFile(stack.env.PKCS11_DEMO_PIN_FILE ?? "", pinFile)
    expect((await read(id)).signatures[0].waiting_for).toBe("KEYS")
    await worker.stop()
    worker = await service.startWorker()
    await isSigned(id, "PIN")
    await expectOnce(id)
  })
})

/** Takes the locks of the whole token, as fcntl(2) has them: whoever wants to read it waits. */
async function holdLocks(tokens: string): Promise<ChildProcess> {
  const program = `
import fcntl, pathlib, sys
held = [open(path, "r+b") for path in pathlib.Path(sys.argv[1]).rglob("*") if path.is_file()]
for file in held: fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()`
  const child = spawn(PYTHON, ["-c", program, tokens], { stdio: ["pipe", "pipe", "inherit"] })
  await once(child.stdout, "data")
  return child
}

async function release(holder: ChildProcess): Promise<void> {
  const gone = once(holder, "exit")
  holder.stdin?.end()
  await gone
}
