import { execFile } from "node:child_process"
import { generateKeyPairSync, X509Certificate } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Authority, createAuthority, fromPem, loadAuthority, toPem } from "./authority.ts"

const run = promisify(execFile)
const now = new Date()
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-authority-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(["EC P-256", "RSA"] as const)("an authority with a key of kind %s", (keyKind) => {
  it.each(["ec", "rsa"] as const)("issues for an %s key what openssl verifies", async (subjectKind) => {
    const authority = await createAuthority({ commonName: "Sandbox root", now, keyKind })
    const certificate = await issueFor(authority, subjectKind)
    await expect(opensslVerify(authority, certificate)).resolves.toMatch(/: OK/)
  })

  it("is the same authority after a restart", async () => {
    const { keyPem, certificatePem, certificate } = await createAuthority({
      commonName: "Root",
      now,
      keyKind,
    })
    const loaded = loadAuthority({ keyPem, certificatePem })
    expect(loaded.certificate).toEqual(certificate)
    expect(fromPem(toPem(certificate))).toEqual(certificate)
    await expect(opensslVerify(loaded, await issueFor(loaded, "ec"))).resolves.toMatch(/: OK/)
  })
})

it("does not verify under another root", async () => {
  const ours = await createAuthority({ commonName: "Sandbox root", now })
  const other = await createAuthority({ commonName: "Sandbox root", now })
  await expect(opensslVerify(other, await issueFor(ours, "ec"))).rejects.toThrow("verification failed")
})

it("issues certificates for signatures, with names as given and for the days asked for", async () => {
  const authority = await createAuthority({ commonName: "Root", now })
  const certificate = new X509Certificate(await issueFor(authority, "ec"))
  expect(certificate.subject).toBe("O=Søren & Co.\nCN=Ada Lovelace")
  expect(certificate.ca).toBe(false)
  expect(Math.round((certificate.validToDate.getTime() - now.getTime()) / 86_400_000)).toBe(30)
  expect(certificate.validFromDate.getTime()).toBeLessThan(now.getTime())
  const { stdout } = await run("openssl", [
    "x509",
    "-noout",
    "-ext",
    "keyUsage",
    "-in",
    await file(certificate.toString()),
  ])
  expect(stdout).toMatch(/critical\s+Digital Signature, Non Repudiation\s*$/)
})

it("refuses a key that is not the root's", async () => {
  const { certificatePem } = await createAuthority({ commonName: "Root", now })
  const { keyPem } = await createAuthority({ commonName: "Root", now })
  expect(() => loadAuthority({ keyPem, certificatePem })).toThrow("not the one")
})

function issueFor(authority: Authority, kind: "ec" | "rsa"): Promise<Uint8Array> {
  const { publicKey } =
    kind === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  return authority.issue({
    commonName: "Ada Lovelace",
    organization: "Søren & Co.",
    publicKeySpki,
    now,
    validDays: 30,
  })
}

async function opensslVerify(root: Authority, certificate: Uint8Array): Promise<string> {
  const args = [
    "verify",
    "-x509_strict",
    "-CAfile",
    await file(root.certificatePem),
    await file(toPem(certificate)),
  ]
  return (await run("openssl", args)).stdout
}

let files = 0
async function file(content: string): Promise<string> {
  files += 1
  const path = join(folder, `${files}.pem`)
  await writeFile(path, content)
  return path
}
