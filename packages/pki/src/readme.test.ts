// The example of the README is run as it stands there, by Node, in a folder that knows the package only by its name.

import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { writeName } from "./certificate/certificate-writer.ts"
import { writeCertId } from "./revocation/ocsp.ts"
import type { CertStatus } from "./revocation/ocsp-response.ts"
import { writeOcspResponse } from "./revocation/ocsp-writer.ts"
import { type Holder, newHolder, newRoot } from "./testing/small-pki.ts"

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL("..", import.meta.url))
let folder: string
let issuer: Holder
let ada: Holder

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-readme-"))
  await mkdir(join(folder, "node_modules/@paraph"), { recursive: true })
  await symlink(packageFolder, join(folder, "node_modules/@paraph/pki"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "example.ts"), await exampleOf(join(packageFolder, "README.md")))

  const root = await newRoot()
  const subject = writeName({ commonName: "Issuing" })
  const order = { subject, basicConstraints: { ca: true }, keyUsage: ["keyCertSign"] } as const
  issuer = await newHolder(root, "rsa-sha256", order)
  ada = await newHolder(issuer, "ecdsa-sha256")
  await writeFile(join(folder, "root.der"), root.certificate.der)
  await writeFile(join(folder, "issuer.der"), issuer.certificate.der)
  await writeFile(join(folder, "ada.der"), ada.certificate.der)
})
afterAll(() => rm(folder, { recursive: true }))

it("names every door of the package, and no file that is not there", async () => {
  const readme = await readFile(join(packageFolder, "README.md"), "utf8")
  const { exports } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"))
  const doors = Object.keys(exports).map((door) => door.slice("./".length))
  const rows = readme.slice(readme.indexOf("## Doors"), readme.indexOf("## Promises")).split("\n")
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, door]) => door),
  )
  expect(named.toSorted()).toEqual(doors.toSorted())
  const paths = [...readme.matchAll(/`((?:src|tests)\/[^`]+\.ts)`/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) await access(join(packageFolder, path.startsWith("src") ? "" : "../..", path))
})

it("has an example of ten lines", async () => {
  const lines = (await exampleOf(join(packageFolder, "README.md"))).split("\n")
  expect(lines.filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10)
})

it("has an example that finds a path and believes an OCSP answer", async () => {
  const printed = await runExample({ status: "good" })
  expect(printed).toContain("valid: true")
  expect(printed).toContain("status: 'good'")
})

it("has an example that also says no", async () => {
  const revokedAt = new Date(Date.now() - 3_600_000)
  expect(await runExample({ status: "revoked", revokedAt })).toContain("status: 'revoked'")
})

async function runExample(certStatus: CertStatus): Promise<string> {
  const now = new Date()
  const answer = await writeOcspResponse({
    entries: [
      { certId: writeCertId(ada.certificate, issuer.certificate, "sha256"), certStatus, thisUpdate: now },
    ],
    producedAt: now,
    responder: issuer.certificate,
    certificates: [],
    algorithm: issuer.algorithm,
    signBytes: issuer.signBytes,
  })
  await writeFile(join(folder, "answer.der"), answer)
  return (await run(process.execPath, ["example.ts"], { cwd: folder })).stdout
}

async function exampleOf(readme: string): Promise<string> {
  const code = /```ts\n(.*?)```/s.exec(await readFile(readme, "utf8"))?.[1]
  if (code === undefined) throw new Error("The README has no example.")
  return code
}
