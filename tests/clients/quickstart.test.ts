import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, expect, it } from "vitest"
import { packageParaph } from "../../scripts/release/package-paraph.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "paraph-quickstart-"))
afterAll(() => rmSync(folder, { recursive: true }))

const run = async (cwd: string, command: string, ...words: string[]): Promise<string> =>
  (
    await promisify(execFile)(command, words, {
      cwd,
      env: { ...process.env, HOME: folder },
      maxBuffer: 1 << 26,
    })
  ).stdout

/** The program on the page, as it stands there. */
const page = readFileSync(join(ROOT, "docs/quickstart.md"), "utf8")
const [, program = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? []

it("whoever has Node and what we publish gets a signed PDF by the program on the page", {
  timeout: 600_000,
}, async () => {
  for (const from of [packageParaph(), join(ROOT, "packages/sdk")])
    await run(from, "npm", "pack", "--silent", "--pack-destination", folder)
  const packed = globSync("*.tgz", { cwd: folder }).map((file) => `./${file}`)
  expect(packed).toHaveLength(2)
  writeFileSync(join(folder, "package.json"), '{"private":true}')
  const begun = performance.now()
  const cache = (await run(ROOT, "npm", "config", "get", "cache")).trim()
  await run(
    folder,
    "npm",
    "install",
    "--prefer-offline",
    "--cache",
    cache,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...packed,
  )
  const installed = performance.now()
  const sandbox = spawn("npx", ["paraph", "sandbox", "--ci", "--json"], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ["pipe", "pipe", "inherit"],
  })
  try {
    const [line] = await once(createInterface({ input: sandbox.stdout }), "line")
    const { url, mails, "api-key": key } = JSON.parse(line)
    const here = program.replace("http://localhost:8080", url).replace("http://127.0.0.1:8082", mails)
    expect(program.trim().split("\n").length).toBeLessThanOrEqual(15)
    writeFileSync(join(folder, "first.mjs"), here.replace("process.env.PARAPH_API_KEY", JSON.stringify(key)))
    expect((await run(folder, process.execPath, "first.mjs")).trim()).toBe("SIGNED")
    const seconds = [begun, installed, performance.now()].map((at) => Math.round((at - begun) / 1000))
    process.stdout.write(`installed after ${seconds[1]} s, signed after ${seconds[2]} s\n`)
    expect(readFileSync(join(folder, "signed.pdf")).subarray(0, 5).toString()).toBe("%PDF-")
    // Of a root that nobody trusts, which is right: it says so, and that the bytes hold.
    const said = await run(folder, "npx", "paraph", "verify", "signed.pdf").catch(
      ({ stdout }) => stdout as string,
    )
    expect(said).toContain("signed.pdf")
  } finally {
    sandbox.stdin.end()
    await once(sandbox, "exit")
  }
})
