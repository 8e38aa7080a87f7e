// Other people's files through the front door: hostile ones, each answered in time and without a network; and PDF/A, which it
// stays.

import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { cpus, loadavg, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { childrenOf, networkOf } from "../service/children.ts"
import { type Service, startService } from "../service/service.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { type VeraPdfVerdict, verapdf } from "./judges.ts"

const corpora = process.env.PARAPH_CORPORA
const LIMIT_MS = 5_000

/** How each file is answered; a change here is a change of what we take in. */
const EXPECTED = { "200": 60, "400 file.pdf.corrupt": 48, "400 file.pdf.active_content": 95 }

type Answered = {
  readonly file: string
  readonly answer: string
  readonly wallMs: number
  /** Of the server and of all processes that it started and that have ended. */
  readonly processorMs: number
  /** How many wanted a processor of this machine for each that there is. */
  readonly crowd: number
}

describe.skipIf(corpora === undefined)("the 203 files of pdf101, uploaded", () => {
  const answered: Answered[] = []
  const networks = new Set<string>()
  const interfaces = new Set<string>()
  let service: Service

  beforeAll(async () => {
    service = await startService({ worker: false })
    for (const file of pdfsIn("pdf101")) {
      answered.push(await upload(service, file))
      for (const { pid, command, network } of childrenOf(service.api.pid)) {
        // Not one that is still being set up, nor the first one, which compiles: neither of them ever has a document.
        if (!command.startsWith(`${process.execPath} `) || !command.includes("--permission")) continue
        networks.add(network)
        for (const name of interfacesOf(pid)) interfaces.add(name)
      }
    }
    process.stdout.write(table(answered))
  }, 600_000)
  afterAll(() => service?.close())

  it("are each taken or refused with a key", () => {
    expect(answered).toHaveLength(203)
    expect(countsOf(answered)).toEqual(EXPECTED)
  })

  it("are each answered within 5 seconds", () => {
    for (const { file, wallMs, processorMs, crowd } of answered) {
      expect(processorMs, file).toBeLessThan(LIMIT_MS)
      // Where others work on this machine too, an answer waits for them; the processor's time above does not.
      expect(wallMs, file).toBeLessThan(LIMIT_MS * Math.max(1, crowd))
    }
  })

  it("are read by processes that have no network: one of their own, in which nothing is up", () => {
    expect(networks.size).toBeGreaterThan(10)
    expect([...networks]).not.toContain(networkOf(service.api.pid))
    expect([...interfaces]).toEqual(["lo"])
  })

  it("leave a server that is alive, and has found no fault in itself", async () => {
    expect((await fetch(`${service.url}/management/health`)).status).toBe(200)
    expect(service.api.log()).not.toContain('"msg":"fault"')
    expect((await service.caller.get("/v2/documents")).status).toBe(200)
  })
})

describe.skipIf(corpora === undefined)("PDF/A through the service", () => {
  let service: Service
  let folder: string
  let verdicts: Map<string, VeraPdfVerdict>
  const made = new Map<string, string>()

  beforeAll(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), "paraph-pdfa-"))
    for (const [index, file] of someOfEachFlavour(2).entries()) {
      const { body } = await post(service, await readFile(file))
      expect(`PDF_A-${body.pdf_a.slice(6).toLowerCase()}`).toBe(flavourOf(file))
      const { body: marked } = await service.caller.post(`/v2/documents/${body.id}/watermark`, {
        text: "DRAFT",
      })
      const request = await sendForSignature(service, marked.id)
      const { document_id: signedId } = await signBy(service, request.id, request.signer)
      for (const [step, id] of Object.entries({ uploaded: body.id, marked: marked.id, signed: signedId })) {
        const path = join(folder, `${index}-${step}.pdf`)
        await writeFile(path, (await service.caller.get(`/v2/documents/${id}/content`)).bytes)
        made.set(path, file)
      }
    }
    verdicts = await verapdf([...made.keys()])
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await rm(folder, { recursive: true, force: true })
  })

  // And sealed: seals.test.ts.
  it("stays what it was, by veraPDF: uploaded, with a watermark, and then signed", () => {
    expect(made.size).toBe(27)
    for (const [path, file] of made) {
      const { flavour, compliant, error } = verdicts.get(path) ?? { error: "no verdict" }
      const said = error ?? `PDF_A-${flavour}`
      expect([path, file, said, compliant]).toEqual([path, file, flavourOf(file), true])
    }
  })
})

const pdfsIn = (name: string): readonly string[] =>
  readdirSync(join(corpora ?? "", name), { recursive: true, withFileTypes: true })
    .filter((file) => /\.pdf$/i.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .sort()

const post = (service: Service, bytes: Buffer) =>
  service.caller.post("/v2/documents?title=Corpus", bytes, { "content-type": "application/pdf" })

async function upload(service: Service, file: string): Promise<Answered> {
  const bytes = await readFile(file)
  const [startedAt, usedBefore] = [performance.now(), processorMs(service.api.pid)]
  const { status, body } = await post(service, bytes)
  return {
    file: basename(file),
    answer: `${status} ${body.key ?? ""}`.trim(),
    wallMs: performance.now() - startedAt,
    processorMs: processorMs(service.api.pid) - usedBefore,
    crowd: (loadavg()[0] ?? 0) / cpus().length,
  }
}

/** proc(5): utime, stime, cutime and cstime are the 12th to the 15th word behind the name, in hundredths of a second. */
function processorMs(pid: number): number {
  const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return 10 * words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0)
}

/** Those of the network that a process is in. */
function interfacesOf(pid: number): readonly string[] {
  try {
    const lines = readFileSync(`/proc/${pid}/net/dev`, "utf8").split("\n").slice(2)
    return lines.flatMap((line) => /^\s*([^:]+):/.exec(line)?.[1] ?? [])
  } catch {
    // It ended while we looked.
    return []
  }
}

const countsOf = (answered: readonly Answered[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { answer } of answered) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}

const flavourOf = (file: string): string | undefined => /PDF_A-\d\w/.exec(file)?.[0]

function someOfEachFlavour(most: number): readonly string[] {
  const files = pdfsIn("pdfa")
  return [...new Set(files.map(flavourOf))].flatMap((flavour) =>
    files.filter((file) => flavourOf(file) === flavour).slice(0, most),
  )
}

function table(answered: readonly Answered[]): string {
  const most = (of: (one: Answered) => number) => Math.round(Math.max(...answered.map(of)))
  const slowest = `slowest ${most(({ wallMs }) => wallMs)} ms, at most ${most((one) => one.processorMs)} ms of a processor`
  return `pdf101: ${answered.length} files, ${slowest}\n${JSON.stringify(countsOf(answered), null, 2)}\n`
}
