import { execFile } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startTestService, type TestService } from "./testing/service.ts"

const run = promisify(execFile)
const PACKAGE = resolve(import.meta.dirname, "..")
const ROOT = resolve(PACKAGE, "../..")
const MODULES = join(ROOT, "node_modules")

/** Somebody else's folder, with the packed package in it and what that depends on. */
let folder: string
let installed: string
let files: readonly string[]
let service: TestService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paraph-sdk-"))
  installed = join(folder, "node_modules/@paraph/sdk")
  mkdirSync(installed, { recursive: true })
  await run("npm", ["run", "-s", "build"], { cwd: PACKAGE })
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]
  const [packed] = Object.values(JSON.parse((await run("npm", packing, { cwd: PACKAGE })).stdout)) as [Packed]
  files = packed.files.map(({ path }) => path)
  await run("tar", ["-xzf", join(folder, packed.filename), "-C", installed, "--strip-components=1"])
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    symlinkSync(join(MODULES, name), join(folder, "node_modules", name))
  mkdirSync(join(folder, "node_modules/@types"))
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(join(MODULES, name), join(folder, "node_modules", name))
  service = await startTestService({ answer: () => ({ body: [{ id: "d-1" }] }) })
}, 120_000)
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

it("what is published is JavaScript, its types, a licence and this page; it needs one package", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
  expect(manifest).toMatchObject({ license: "Apache-2.0", type: "module" })
  expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch"])
  const others = files.filter((file) => !/^dist\/.*\.(?:js|d\.ts)$/.test(file))
  expect(others.toSorted()).toEqual(["LICENSE", "README.md", "package.json"])
  for (const target of [manifest.types, ...Object.values<string>(manifest.exports["."])])
    expect(files).toContain(target.replace("./", ""))
  for (const file of files.filter((name) => name.startsWith("dist/")))
    expect(readFileSync(join(installed, file), "utf8"), file).not.toMatch(
      /["']node:|sourceMappingURL|\.test\./,
    )
})

it("nothing in its source is of Node", () => {
  for (const file of globSync("src/**/*.ts", { cwd: PACKAGE })) {
    if (file.endsWith(".test.ts") || file.startsWith("src/testing/")) continue
    const source = readFileSync(join(PACKAGE, file), "utf8")
    expect(source, file).not.toMatch(/["']node:|\bBuffer\b|\bprocess\.|\brequire\(/)
  }
})

/** Loads the package into a realm that has what every runtime has, and nothing else; then runs `program` there. */
const inWebRealm = (program: string): string => `
  import { readFileSync } from "node:fs"
  import { createContext, SourceTextModule } from "node:vm"

  const { AbortController, AbortSignal, atob, Blob, btoa, clearTimeout, crypto, fetch, FormData, Headers } = globalThis
  const { ReadableStream, Request, Response, setTimeout, TextDecoder, TextEncoder, URL, URLSearchParams } = globalThis
  const said = {}
  const realm = createContext({
    AbortController, AbortSignal, atob, Blob, btoa, clearTimeout, crypto, fetch, FormData, Headers,
    ReadableStream, Request, Response, setTimeout, TextDecoder, TextEncoder, URL, URLSearchParams, said,
  })
  const modules = new Map()
  const load = (address) => {
    const known = modules.get(address)
    if (known !== undefined) return known
    const module = new SourceTextModule(readFileSync(new URL(address), "utf8"), { context: realm, identifier: address })
    modules.set(address, module)
    return module
  }
  const find = (name, from) =>
    load(name.startsWith(".") ? new URL(name, from.identifier).href : import.meta.resolve(name))
  const main = new SourceTextModule(${JSON.stringify(program)}, { context: realm, identifier: import.meta.url })
  await main.link(find)
  await main.evaluate()
  process.stdout.write(JSON.stringify(said))
`

it("runs where there are only the globals of the web", async () => {
  const program = `
    import { createParaph, verifyWebhook } from "@paraph/sdk"
    const paraph = createParaph({ url: ${JSON.stringify(service.url)}, username: "u", apiKey: "k" })
    said.ids = []
    for await (const { id } of paraph.v2.list("/documents")) said.ids.push(id)
    const content = new Blob(["%PDF-"]).stream()
    said.uploaded = await paraph.v3.uploadDocument({ title: "a", content })
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    said.event = await verifyWebhook({ body: '{"test": 2432232314}', headers, secret, now: 1614265330000 })
    said.here = typeof process + typeof Buffer
  `
  writeFileSync(join(folder, "run.mjs"), inWebRealm(program))
  const words = ["--experimental-vm-modules", "--no-warnings", "run.mjs"]
  const { stdout } = await run(process.execPath, words, { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    ids: ["d-1"],
    uploaded: [{ id: "d-1" }],
    event: { test: 2432232314 },
    here: "undefinedundefined",
  })
})

it.each(["nodenext", "bundler"])(
  "every program of README.md compiles beside the published types (%s)",
  async (kind) => {
    const page = readFileSync(join(installed, "README.md"), "utf8")
    const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program)
    expect(programs.length).toBeGreaterThan(3)
    for (const [index, program] of programs.entries())
      writeFileSync(join(folder, `readme-${index}.mts`), program)
    const [module, moduleResolution] = kind === "nodenext" ? [kind, kind] : ["esnext", kind]
    const base = { target: "es2022", lib: ["es2023"], types: ["node"], strict: true, noEmit: true }
    // Not in what the package needs: openapi-fetch has types of its own that lean on those of browsers.
    const compilerOptions = { ...base, module, moduleResolution, skipLibCheck: true }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }))
    const told = await run(join(MODULES, ".bin/tsc"), ["-p", folder]).catch((error) => error)
    expect(told.stdout).toBe("")
  },
)
