// npm run bench:validation [-- --http] [-- --calls N]: how long it takes to judge a document, ours beside EU DSS and pyHanko, each
// warm and in one process, without a network and without pictures. The least of many runs; ratios are of processor time. Then
// what a caller of the interface waits for the same documents; with --http, only that.

import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { raise } from "@paraph/pades/raise"
import { writeSample } from "@paraph/pades/sample"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { validatePdf } from "@paraph/validation/validate"
import { newSigner, servicesOf, signOnce } from "../conformance/matrix.ts"
import { fastest, type Spent } from "./fastest.ts"
import { measureOverHttp } from "./validation-over-http.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const JAVA = ["../../.tools/java-oracles/judges.jar", "../../.tools/java-oracles/lib/*"].map(here).join(":")
const OTHERS = {
  "EU DSS": ["java", "-Xmx2g", "-Djava.awt.headless=true", "-cp", JAVA, "paraph.DssValidateBench"],
  pyHanko: [here("../../.tools/pyhanko/bin/python"), here("drivers/pyhanko-validate.py")],
} as const

const DOCUMENTS = [
  { name: "100 KB, one signature, B-LTA", kilobytes: 100, signatures: 1, runs: 40, warmUps: 40, calls: 60 },
  { name: "10 MB, 20 signatures, B-LTA", kilobytes: 10_000, signatures: 20, runs: 8, warmUps: 8, calls: 20 },
] as const

const { values: asked } = parseArgs({ options: { http: { type: "boolean" }, calls: { type: "string" } } })
const folder = await mkdtemp(join(tmpdir(), "paraph-bench-validation-"))
const sandbox = await startTrustSandbox({ now: () => new Date() })
try {
  const anchor = Buffer.from(sandbox.root).toString("base64")
  const jobs: Job[] = []
  for (const { name, kilobytes, signatures, runs, warmUps } of DOCUMENTS) {
    const file = join(folder, `${signatures}.pdf`)
    await writeFile(file, await signed(sandbox, kilobytes, signatures))
    jobs.push({ name, file, anchor, runs, warmUps })
  }
  if (!asked.http) await besideOthers(jobs)
  const measured = DOCUMENTS.map(async ({ name, calls }, i) => ({
    name,
    calls: Number(asked.calls ?? calls),
    bytes: await readFile(jobs[i]?.file ?? ""),
  }))
  await measureOverHttp(await Promise.all(measured), sandbox.root)
} finally {
  await sandbox.close()
  await rm(folder, { recursive: true })
}

type Job = {
  readonly name: string
  readonly file: string
  readonly anchor: string
  readonly runs: number
  readonly warmUps: number
}
type Measured = Spent & { readonly indication: string }

async function besideOthers(jobs: readonly Job[]): Promise<void> {
  // One after the other: two at once would share what they are measured by.
  const others = new Map<string, readonly Measured[]>()
  for (const [who, command] of Object.entries(OTHERS)) others.set(who, await ask(command, jobs))
  for (const [i, { name, file, runs, warmUps }] of jobs.entries()) {
    const own = await ours(file, runs, warmUps)
    print(`\n${name}`)
    print(row("Paraph", own, own))
    for (const [who, answers] of others) {
      const answer = answers[i]
      if (answer !== undefined) print(row(who, answer, own))
    }
  }
}

function row(who: string, { clockMs, processorMs, indication }: Measured, own: Measured): string {
  const times = (processorMs / own.processorMs).toFixed(1)
  return `  ${who.padEnd(8)} ${indication.padEnd(13)} ${processorMs.toFixed(1).padStart(8)} ms of processor, ${clockMs.toFixed(1).padStart(8)} ms by the clock: ${times} ×`
}

async function ours(file: string, runs: number, warmUps: number): Promise<Measured> {
  const source = bytesSource(await readFile(file))
  const anchors = [{ certificate: readCertificate(sandbox.root) }]
  let indication = ""
  const act = async () => {
    const { report } = await validatePdf(source, { now: new Date(), anchors })
    indication = report.indication
  }
  await fastest({ act }, { runs: warmUps, seconds: 60 })
  const { act: spent } = await fastest({ act }, { runs, seconds: 60 })
  return { ...spent, indication }
}

async function signed(trust: TrustSandbox, kilobytes: number, signatures: number): Promise<Uint8Array> {
  const filling = "0123456789abcdef".repeat((kilobytes * 1_000) / 16)
  let pdf: Uint8Array = writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Metadata 4 0 R >>",
    `<< /Length ${filling.length} >>\nstream\n${filling}\nendstream`,
  ])
  const signer = await newSigner(trust, "P-256", "Ada")
  for (let i = 0; i < signatures; i++)
    pdf = await signOnce(trust, pdf, { ...signer, name: `Ada ${i}` }, true, { algorithm: "ecdsa-sha256" })
  return Buffer.concat([pdf, await raise(pdf, { to: "B-LTA", ...servicesOf(trust) })])
}

function ask([command, ...args]: readonly string[], jobs: readonly object[]): Promise<readonly Measured[]> {
  const child = spawn(command ?? "", args, { stdio: ["pipe", "pipe", "inherit"] })
  const output: Buffer[] = []
  child.stdout.on("data", (data: Buffer) => output.push(data))
  child.stdin.end(JSON.stringify({ jobs }))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", () => {
      const lines = Buffer.concat(output).toString("utf8").split("\n").filter(Boolean)
      resolve(lines.map((line) => JSON.parse(line) as Measured))
    })
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
