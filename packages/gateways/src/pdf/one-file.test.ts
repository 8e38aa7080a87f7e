import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { selfSigned } from "../testing/self-signed.ts"
import { BUILT, oneFileOf, programFile, type Sources, sourcesFile } from "./one-file.ts"
import { documentProgram } from "./programs.ts"
import { startRoom } from "./room.ts"
import { writeOneFile } from "./write-one-file.ts"

const NAME = "document-child"
const LIMITS = { rssLimitBytes: 512_000_000, wallMs: 60_000, cpuSeconds: 10 }
const spool = realpathSync(mkdtempSync(join(tmpdir(), "paraph-one-file-")))
mkdirSync(BUILT, { recursive: true })
// In the package, where the font of a watermark is found.
const folder = mkdtempSync(join(BUILT, "test-"))
const built = join(folder, "built")
const pdf = handMadePdf(["BT /F1 48 Tf 60 600 Td (Paraph) Tj ET", ""])

beforeAll(() => writeOneFile(NAME, built))
afterAll(() => {
  for (const each of [spool, folder]) rmSync(each, { recursive: true })
})

it("does what the sources do, and may read nothing of them", async () => {
  const program = documentProgram(spool, oneFileOf(NAME, built))
  expect(program.readable.filter((path) => path.includes("/src/") && !path.includes("node_modules"))).toEqual(
    [],
  )
  const { certificate } = selfSigned(folder)
  const asked = [
    { type: "describe" },
    { type: "watermark", options: { text: "Paraph", opacity: 1 } },
    {
      type: "prepare",
      options: {
        fieldName: "Signature1",
        certificate,
        chain: [],
        signedAt: new Date("2026-11-15T10:00:00Z"),
      },
    },
  ]
  for (const one of asked) {
    const [ours, theirs] = [await answerOf(program, one), await answerOf(documentProgram(spool, null), one)]
    expect(ours).toEqual(theirs)
    expect(ours.header).toMatchObject({ type: "done" })
  }
}, 60_000)

it("is compiled, for a V8 as the processes have it", () => {
  const look = `const [text, cachedData] = process.argv.slice(1).map((file) => fs.readFileSync(file))
    new vm.Script(text.toString(), { cachedData }).cachedDataRejected`
  const program = programFile(built, NAME)
  const files = [program, program.replace(".cjs", ".code")]
  const flags = ["--permission", `--allow-fs-read=${built}/*`, "--max-old-space-size=292"]
  const told = (...more: string[]) =>
    execFileSync(process.execPath, [...flags, ...more, "-p", look, ...files], {
      env: {},
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
  expect(told()).toBe("false\n")
  expect(told("--no-opt")).toBe("true\n")
})

it("is used only while it is of the sources that are here", () => {
  expect(oneFileOf(NAME, built)).toBe(join(built, `${NAME}.cjs`))
  expect(oneFileOf("render-child", built)).toBeNull()
  const other = join(folder, "other")
  cpSync(built, other, { recursive: true })
  const sources = JSON.parse(readFileSync(sourcesFile(other, NAME), "utf8")) as Sources
  expect(Object.keys(sources)).toContain("src/pdf/document-child.ts")
  const [path = "", ...rest] = Object.keys(sources)
  const write = (what: Sources) => writeFileSync(sourcesFile(other, NAME), JSON.stringify(what))
  write({ ...sources, [path]: sources[rest[0] ?? ""] ?? "" })
  expect(oneFileOf(NAME, other)).toBeNull()
  write({ ...sources, "src/pdf/gone.ts": "" })
  expect(oneFileOf(NAME, other)).toBeNull()
  appendFileSync(programFile(built, NAME).replace(".cjs", ".code"), " ")
  expect(oneFileOf(NAME, built)).toBeNull()
})

async function answerOf(program: ReturnType<typeof documentProgram>, asked: object) {
  const file = await sealedFileOf(pdf, spool)
  return startRoom(program, LIMITS).ask({ file, asked })
}
