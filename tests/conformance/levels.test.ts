// Every level with every algorithm, upon every kind of file, once and five times, seen and unseen: 256 files, judged by
// EU DSS, pyHanko, poppler, qpdf and our own validation. B-B and B-T may ask the sandbox for revocation; B-LT and B-LTA are judged offline.
// Files that are wrong on purpose are judged along with them, since starting a judge takes longer than judging.

import { X509Certificate } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type DssVerdict,
  dss,
  opensslCades,
  type PyhankoVerdict,
  pdfsig,
  pyhanko,
  pyhankoTimestamp,
  qpdfFaults,
} from "./judges.ts"
import {
  type Claim,
  dssFaults,
  NOT_FOR_PDFSIG,
  ownFaults,
  pdfsigFaults,
  pyhankoFaults,
} from "./level-faults.ts"
import {
  ALGORITHMS,
  type Algorithm,
  LEVELS,
  type Level,
  type Made,
  makeAll,
  newSigner,
  signOnce,
  titleOf,
} from "./matrix.ts"

const JUDGES = ["EU DSS", "pyHanko", "pdfsig", "qpdf", "Paraph"] as const
type Judge = (typeof JUDGES)[number]
type Verdict = { readonly dss: DssVerdict | undefined; readonly pyhanko: PyhankoVerdict | undefined }
type Broken = {
  readonly [kind in "content" | "timestamp" | "validationData" | "notRaised" | "revoked"]: string
}

let folder = ""
let root = ""
let sandbox: TrustSandbox
let made: readonly Made[] = []
let broken: Broken
let verdicts: ReadonlyMap<string, Verdict>
/** By judge and file. */
const faults = new Map<string, readonly string[]>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-levels-"))
  sandbox = await startTrustSandbox({ now: () => new Date() })
  root = await writeRoot(sandbox, "root.pem")
  made = await makeAll(sandbox, folder)
  broken = await breakSome()
  await judgeAll()
  // Some three minutes on two processors that have nothing else to do.
}, 1_200_000)

afterAll(async () => {
  process.stdout.write(table())
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const rows = LEVELS.flatMap((level) =>
  (Object.keys(ALGORITHMS) as Algorithm[]).map((algorithm) => ({ level, algorithm })),
)

describe.each(rows)("$level with $algorithm, upon 16 files", ({ level, algorithm }) => {
  it.each(JUDGES)("is valid for %s", (judge) => {
    const judged = row(level, algorithm)
    expect(judged).toHaveLength(16)
    for (const one of judged) expect(faults.get(`${judge} ${one.file}`), titleOf(one)).toEqual([])
  })
})

describe("a judge says no", () => {
  const claim = (level: Level): Claim => ({ level, fields: ["Zoë Müller"] })
  const byDss = (file: string, level: Level) => dssFaults(claim(level), verdicts.get(file)?.dss)
  const byPyhanko = (file: string, level: Level) => pyhankoFaults(claim(level), verdicts.get(file)?.pyhanko)

  it("to a byte of the content that was changed", async () => {
    expect(byDss(broken.content, "B-B")).toContain("Zoë Müller: TOTAL_FAILED HASH_FAILURE, not TOTAL_PASSED")
    expect(byPyhanko(broken.content, "B-B")).toContain(
      "Zoë Müller valid intact trusted: true false false, not true true true",
    )
    expect(pdfsigFaults(claim("B-B"), await pdfsig(broken.content))).toEqual([
      "Zoë Müller: Digest Mismatch., not Signature is Valid.",
    ])
    const byOpenssl = async (file: string) => opensslCades(await readFile(file), root, file)
    expect(await byOpenssl(fileOf("B-B"))).toBe("CAdES Verification successful")
    await expect(byOpenssl(broken.content)).rejects.toThrow("CAdES Verification failure")
  })

  it("to a cross-reference that points elsewhere", async () => {
    const file = await changed("B-B", (bytes) => {
      bytes.write("7", bytes.lastIndexOf("startxref\n") + "startxref\n".length, "latin1")
    })
    expect(await qpdfFaults(file)).toMatch(/file is damaged/)
  })

  it("to a signature time-stamp whose own signature was changed", () => {
    expect(byDss(broken.timestamp, "B-T").join("\n")).toMatch(/SIGNATURE_TIMESTAMP: (FAILED|INDETERMINATE)/)
    expect(byPyhanko(broken.timestamp, "B-T")).toContain("Zoë Müller time-stamp: false, not true")
  })

  it("to validation data that was changed under a document time-stamp", () => {
    expect(byDss(broken.validationData, "B-LTA").join("\n")).toMatch(
      /DOCUMENT_TIMESTAMP: FAILED HASH_FAILURE/,
    )
    expect(byPyhanko(broken.validationData, "B-LTA").join("\n")).toMatch(
      /Timestamp-1 valid intact trusted: true false/,
    )
  })

  it.each([
    ["B-B", "B-T"],
    ["B-T", "B-B"],
    ["B-LT", "B-LTA"],
    ["B-LTA", "B-LT"],
  ] as const)("to a %s that claims to be %s", (level, claimed) => {
    const long = (one: Level) => one.replace("B-", "PAdES-BASELINE-")
    expect(byDss(fileOf(level), claimed)).toContain(`Zoë Müller level: ${long(level)}, not ${long(claimed)}`)
    expect(byPyhanko(fileOf(level), claimed)).not.toEqual([])
  })

  it("to a B-T that claims to be B-LT, and cannot do without the network", () => {
    expect(byDss(broken.notRaised, "B-LT")).toContain(
      "Zoë Müller: INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE, not TOTAL_PASSED",
    )
    expect(byPyhanko(broken.notRaised, "B-LT").join("\n")).toMatch(/AdES: AdESIndeterminate/)
  })

  it("to a certificate that was revoked before the signature", () => {
    expect(byDss(broken.revoked, "B-T").join("\n")).toMatch(/REVOKED/)
    expect(byPyhanko(broken.revoked, "B-T").join("\n")).toMatch(/AdES: AdES\w+\.REVOKED/)
  })

  it("to a root that it does not trust", async () => {
    const other = await startTrustSandbox({ now: () => new Date() })
    const stranger = await writeRoot(other, "stranger.pem")
    await other.close()
    const file = fileOf("B-LTA")
    const [inDss, inPyhanko] = [
      await dss({ anchors: [stranger] }, [file]),
      await pyhanko(stranger, [file], { levels: true }),
    ]
    expect(dssFaults(claim("B-LTA"), inDss.get(file)).join("\n")).toMatch(/NO_CERTIFICATE_CHAIN_FOUND/)
    expect(pyhankoFaults(claim("B-LTA"), inPyhanko.get(file))).toContain(
      "Zoë Müller valid intact trusted: true true false, not true true true",
    )
  })
})

it("knows that poppler has no word on document time-stamps, for it has none on pyHanko's either", async () => {
  const file = join(folder, "foreign-timestamp.pdf")
  await pyhankoTimestamp({
    input: join(folder, "classic.pdf"),
    output: file,
    authority: sandbox.timestampUrl,
  })
  expect([...(await pdfsig(file)).values()]).toEqual([NOT_FOR_PDFSIG])
})

it("lets pyHanko use its lenient reader for hybrid files only, which it would not judge otherwise", () => {
  for (const { file, input } of made)
    expect(verdicts.get(file)?.pyhanko?.strict, file).toBe(input !== "hybrid")
})

const isOnline = ({ level }: Made) => level === "B-B" || level === "B-T"

async function judgeAll(): Promise<void> {
  const files = (ones: readonly Made[]) => ones.map(({ file }) => file)
  const online = files(made.filter(isOnline)).concat(broken.content, broken.timestamp, broken.revoked)
  const offline = files(made.filter((one) => !isOnline(one))).concat(broken.validationData, broken.notRaised)
  const anchors = [root]
  const judged = new Map([
    ...(await dss({ anchors, online: true }, online)),
    ...(await dss({ anchors }, offline)),
  ])
  const alsoJudged = new Map([
    ...(await pyhanko(root, online, { levels: true, online: true })),
    ...(await pyhanko(root, offline, { levels: true })),
  ])
  verdicts = new Map(
    [...online, ...offline].map((file) => [file, { dss: judged.get(file), pyhanko: alsoJudged.get(file) }]),
  )
  const left = made.values()
  const work = async () => {
    for (const one of left) {
      note("EU DSS", one, dssFaults(one, verdicts.get(one.file)?.dss))
      note("pyHanko", one, pyhankoFaults(one, verdicts.get(one.file)?.pyhanko))
      note("pdfsig", one, pdfsigFaults(one, await pdfsig(one.file)))
      note("qpdf", one, [await qpdfFaults(one.file)].filter(Boolean))
      note("Paraph", one, await ownFaults(one, sandbox, isOnline(one)))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

function note(judge: Judge, { file }: Made, found: readonly string[]): void {
  faults.set(`${judge} ${file}`, found)
}

function row(level: Level, algorithm: Algorithm): readonly Made[] {
  return made.filter((one) => one.level === level && one.algorithm === algorithm)
}

function table(): string {
  const cell = (text: string) => text.padEnd(10)
  const count = (judge: Judge, of: readonly Made[]) =>
    cell(`${of.filter(({ file }) => faults.get(`${judge} ${file}`)?.length === 0).length}/${of.length}`)
  const line = ({ level, algorithm }: (typeof rows)[number]) =>
    `${cell(level)}${cell(algorithm)}${JUDGES.map((judge) => count(judge, row(level, algorithm))).join("")}`
  const head = `${cell("level")}${cell("algorithm")}${JUDGES.map(cell).join("")}`
  return `\n${[head, ...rows.map(line)].join("\n")}\n`
}

async function breakSome(): Promise<Broken> {
  const signer = await newSigner(sandbox, "P-256", "Zoë Müller")
  await sandbox.revoke(signer.certificate, "keyCompromise", new Date(Date.now() - 60_000))
  const base = await readFile(join(folder, "classic.pdf"))
  const revoked = await signOnce(sandbox, base, signer, true, { algorithm: "ecdsa-sha256" })
  return {
    content: await changed("B-B", (bytes) => bytes.write("B", bytes.indexOf("(A contract)") + 1, "latin1")),
    timestamp: await changed("B-T", changeEndOfMark),
    validationData: await changed("B-LTA", (bytes) => {
      const stream = bytes.lastIndexOf("stream\n", bytes.lastIndexOf("/DocTimeStamp"))
      bytes[stream + 60] = (bytes[stream + 60] ?? 0) ^ 1
    }),
    notRaised: await kept(await readFile(fileOf("B-T"))),
    revoked: await kept(revoked),
  }
}

// The time-stamp is the last thing in the CMS, and its signature the last thing in the time-stamp.
function changeEndOfMark(bytes: Buffer): void {
  const text = bytes.toString("latin1")
  const padding = /(?:00){16,}>/.exec(text)?.index ?? 0
  bytes.write(text.slice(padding - 2, padding) === "11" ? "12" : "11", padding - 2, "latin1")
}

async function changed(level: Level, change: (bytes: Buffer) => void): Promise<string> {
  const bytes = await readFile(fileOf(level))
  const before = Buffer.from(bytes)
  change(bytes)
  expect(bytes.equals(before)).toBe(false)
  return kept(bytes)
}

let keptFiles = 0
async function kept(bytes: Uint8Array): Promise<string> {
  keptFiles += 1
  const file = join(folder, `wrong-${keptFiles}.pdf`)
  await writeFile(file, bytes)
  return file
}

/** The plainest file of a level. */
function fileOf(level: Level): string {
  const found = row(level, "P-256").find((one) => one.input === "classic" && one.count === 1 && !one.visible)
  if (found === undefined) throw new Error(`There is no plain file at ${level}.`)
  return found.file
}

async function writeRoot({ root }: TrustSandbox, name: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, new X509Certificate(root).toString())
  return file
}
