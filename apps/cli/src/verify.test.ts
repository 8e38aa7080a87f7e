import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeStory } from "@paraph/evidence/story"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ToldWorld, toldWorld } from "../../../packages/verifying/src/testing/told-world.ts"

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url))
// Later than everything in the story, and the same on every day that this is run.
const AT = ["--at", "2026-11-17T12:00:00Z"]

let folder: string
let told: ToldWorld
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paraph-verify-"))
  told = await toldWorld()
  writeFileSync(at("contract.pdf"), told.contract)
  writeFileSync(at("report.pdf"), told.report)
  writeFileSync(at("story.json"), writeStory(told.story))
  writeFileSync(at("changed.json"), writeStory(told.story).replace("Ada", "Eve"))
  writeFileSync(at("root.der"), told.root)
  writeFileSync(at("root.pem"), pem(told.root))
  writeFileSync(at("log.key"), `${told.keyLine}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return `Root\n-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
}

describe("paraph verify", () => {
  it("says that all holds, and ends with 0, without any setting", async () => {
    const trust = ["--trust", at("root.pem"), "--log-key", at("log.key")]
    const run = await paraph(at("contract.pdf"), at("report.pdf"), ...trust, ...AT)
    expect(run).toMatchObject({ exitCode: 0, stderr: "" })
    expect(run.stdout).toMatch(/^Everything that was checked holds\.\nChecked as of 17 November 2026/)
    expect(run.stdout).toContain("contract.pdf: Holds")
    expect(run.stdout).toContain("Event 4 of the story names exactly this file: Signature put on a document")
    expect(run.stdout).toContain("Signed by: Ada")
    expect(run.stdout).toContain("The head of the log is signed with the key that you gave.")
    expect(run.stdout).toMatch(/5\. 16 November 2026, 12:00:05 UTC {2}Request completed/)
  }, 60_000)

  it("says in four languages what does not hold, and ends with 1", async () => {
    const trust = ["--trust", at("root.der"), "--log-key", told.keyLine, ...AT]
    const languages = [
      ["en", "Event 3 is not in the log as it is told here"],
      ["de", "Ereignis 3 steht nicht so im Log, wie es hier erzählt wird"],
      ["fr", "L’événement 3 ne figure pas dans le journal tel qu’il est raconté ici"],
      ["it", "L’evento 3 non figura nel registro come è raccontato qui"],
    ] as const
    const runs = languages.map(async ([language, sentence]) => {
      const run = await paraph(at("changed.json"), ...trust, "--language", language)
      expect(run).toMatchObject({ exitCode: 1, stderr: "" })
      expect(run.stdout).toContain(sentence)
    })
    await Promise.all(runs)
  }, 60_000)

  it("without a key says whose key it is, and ends with 2", async () => {
    const run = await paraph(at("story.json"), "--trust", at("root.pem"), ...AT)
    expect(run).toMatchObject({ exitCode: 2, stderr: "" })
    expect(run.stdout).toContain("this only shows that the story agrees with itself")
    expect(run.stdout).toContain(told.keyLine)
    expect(run.stdout).toMatch(/Fingerprint of the key \(SHA-256\): [0-9a-f]{64}/)
  }, 60_000)

  it("says whom nobody has named as trusted", async () => {
    const run = await paraph(at("contract.pdf"), ...AT)
    expect(run.exitCode).toBe(2)
    expect(run.stdout).toContain("You have not said whom you trust.")
  }, 60_000)

  it("writes the XML of ETSI, one for each PDF, and over nothing", async () => {
    const one = ["--trust", at("root.pem"), "--xml", at("one.xml"), ...AT]
    const [first, both] = await Promise.all([
      paraph(at("contract.pdf"), ...one),
      paraph(at("contract.pdf"), at("report.pdf"), "--xml", at("two.xml"), ...AT),
    ])
    expect([first.exitCode, both.exitCode]).toEqual([0, 2])
    for (const name of ["one.xml", "two-1.xml", "two-2.xml"])
      expect(readFileSync(at(name), "utf8")).toContain("http://uri.etsi.org/19102/v1.4.1#")
    const again = await paraph(at("contract.pdf"), ...one)
    expect(again).toMatchObject({ exitCode: 2, stdout: "" })
    expect(again.stderr).toContain("is not overwritten")
  }, 60_000)

  it("prints one JSON object where it is asked for", async () => {
    const run = await paraph(at("contract.pdf"), "--trust", at("root.pem"), "--json", ...AT)
    expect(JSON.parse(run.stdout)).toMatchObject({
      at: "2026-11-17T12:00:00.000Z",
      standing: "holds",
      documents: [{ name: "contract.pdf", report: { indication: "TOTAL-PASSED" } }],
    })
  }, 60_000)

  it("ends with 2, and in words, where it does not understand", async () => {
    const cases = [
      [["--json"], "which files?"],
      [[at("nowhere.pdf")], "cannot be read."],
      [[at("contract.pdf"), "--language", "es"], "--language is en, de, fr or it."],
      [[at("contract.pdf"), "--at", "tomorrow"], "--at is a day or a time"],
      [[at("contract.pdf"), "--at", "2026-11-17T12:00:00"], "--at is a day or a time with its zone"],
      [[at("contract.pdf"), "--log-key", "nonsense"], "The key of a log is one line"],
      [[at("contract.pdf"), "--trust", at("log.key")], "holds no certificate in PEM or DER"],
      [[at("story.json"), "--xml", at("none.xml")], "there is no PDF to report on"],
      [[at("contract.pdf"), "--server", "x"], "--server"],
    ] as const
    await Promise.all(
      cases.map(async ([words, sentence]) => {
        const run = await paraph(...words)
        expect(run).toMatchObject({ exitCode: 2, stdout: "" })
        expect(run.stderr).toContain(sentence)
        expect(run.stderr).not.toContain("    at ")
      }),
    )
    expect(await paraph("--help")).toMatchObject({ exitCode: 0, stderr: "" })
    expect((await paraph()).exitCode).toBe(2)
  }, 120_000)
})

function paraph(...words: readonly string[]) {
  return new Promise<{ exitCode: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [MAIN, "verify", ...words], { env: {} }, (error, stdout, stderr) =>
      done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
