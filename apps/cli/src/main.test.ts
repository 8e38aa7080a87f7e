import { execFile } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { fileURLToPath } from "node:url"
import { SETTINGS } from "@paraph/server/config"
import { describe, expect, it } from "vitest"

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url))

describe("paraph", () => {
  it("shows how it is used, and ends with 2 when it did not understand", async () => {
    const [help, nonsense, slip] = await Promise.all([
      paraph("help"),
      paraph("dance"),
      paraph("help", "sandbx"),
    ])
    expect(help).toMatchObject({ exitCode: 0, stderr: "" })
    expect(help.stdout).toContain("paraph migrate")
    const lists = "paraph help lists them all.\n"
    expect(nonsense).toEqual({ exitCode: 2, stdout: "", stderr: `paraph has no command dance. ${lists}` })
    expect(slip.stderr).toBe(`paraph has no command sandbx. Did you mean sandbox? ${lists}`)
  }, 30_000)

  it("says what an act of the operator needs, without settings", async () => {
    const [all, one] = await Promise.all([paraph("admin", "--help"), paraph("admin", "reset-key", "--help")])
    expect(all).toMatchObject({ exitCode: 0, stderr: "" })
    for (const act of ["create-key --user NAME", "set-feature", "add-operator", "audit-log"])
      expect(all.stdout).toContain(`paraph admin ${act}`)
    expect(one).toMatchObject({ exitCode: 0, stderr: "" })
    expect(one.stdout).toMatch(/^ +paraph admin reset-key --key ID/)
  }, 30_000)

  it("config check names every setting that must be given, in one go", async () => {
    const { exitCode, stdout } = await paraph("config", "check")
    expect(exitCode).toBe(1)
    for (const [name, { fallback }] of Object.entries(SETTINGS))
      expect(stdout.includes(`  ${name} must be given.`), name).toBe(fallback === undefined)
  })

  it("config check says the same in JSON, for programs", async () => {
    const { exitCode, stdout } = await paraph("config", "check", "--json")
    expect(exitCode).toBe(1)
    const { usable, faults } = JSON.parse(stdout)
    expect([usable, faults.some((fault: string) => fault.startsWith("DATABASE_URL must be given."))]).toEqual(
      [false, true],
    )
  })

  it("config check names files that cannot be read, also those that other processes read later", async () => {
    const word = "0123456789abcdef".repeat(4)
    const key = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()
    const env = {
      ...{
        PUBLIC_URL: "http://localhost:8080",
        DATABASE_URL: "postgresql://localhost/paraph",
        SCANNER_URL: "none",
      },
      ...{ KEY_PEPPER: word, KEK: word, TOKEN_KEY: key, SANDBOX: "true", DOCUMENTS_FOLDER: "/tmp/documents" },
      ...{
        SMTP_URL: "smtp://localhost",
        MAIL_FROM: "no-reply@example.org",
        TIMESTAMP_URLS: "http://localhost/tsa",
      },
      ...{ PKCS11_MODULE: "libvendor.so", PKCS11_DEMO_TOKEN: "demo", PKCS11_DEMO_PIN_FILE: "/nowhere/pin" },
      TRUST_ANCHORS_FILE: MAIN,
    }
    const { exitCode, stdout } = await paraphWith(env, "config", "check")
    expect([exitCode, stdout.match(/^ {2}\w+/gm)]).toEqual([1, ["  PKCS11_DEMO_PIN_FILE"]])
    const whole = await paraphWith({ ...env, PKCS11_DEMO_PIN_FILE: MAIN }, "config", "check")
    expect(whole).toMatchObject({ exitCode: 0, stdout: "The configuration is usable.\n" })
  }, 30_000)

  it("says its version, and the same help by three ways", async () => {
    const [version, ...helps] = await Promise.all([
      ...[
        paraph("--version"),
        paraph("help", "verify"),
        paraph("verify", "--help"),
        paraph("verify", "help"),
      ],
    ])
    expect(version?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(new Set(helps.map(({ stdout }) => stdout)).size).toBe(1)
    expect(helps[0]?.stdout).toContain("paraph verify FILE…")
  }, 30_000)

  it("says what is wrong with the settings, without a stack, before it does anything", async () => {
    const { exitCode, stdout, stderr } = await paraph("migrate")
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^The configuration is not usable:\n/)
    expect(stderr).not.toContain("    at ")
  })
})

const paraph = (...words: string[]) => paraphWith({}, ...words)

function paraphWith(env: Readonly<Record<string, string>>, ...words: string[]) {
  return new Promise<{ exitCode: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [MAIN, ...words], { env }, (error, stdout, stderr) =>
      done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
