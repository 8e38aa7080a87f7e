// `paraph sign`: a PDF is signed on this machine by a key of one's own, and judged by others.

import { execFile, execFileSync } from "node:child_process"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { startKeys } from "@paraph/gateways/keys"
import { makeSofthsmToken } from "@paraph/gateways/testing/softhsm-token"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contractPdf } from "../service/pdf.ts"
import { dss, pyhanko } from "./judges.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "paraph-sign-"))
const at = (name: string) => join(folder, name)
const PASSPHRASE = "zürich & söhne"

let sandbox: TrustSandbox
let made = 0

beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  writeFileSync(at("root.pem"), pem(sandbox.root))
  writeFileSync(at("issuing.pem"), pem(sandbox.issuing))
  writeFileSync(at("passphrase"), `${PASSPHRASE}\n`, { mode: 0o600 })
  writeFileSync(at("contract.pdf"), contractPdf())
})
afterAll(async () => {
  await sandbox?.close()
  rmSync(folder, { recursive: true })
})

const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString("base64")
    .replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`

const KEYS = {
  "P-256": () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RSA: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
}

async function certified(privateKey: KeyObject, publicKey: KeyObject, name: string) {
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  return { privateKey, certificate: await sandbox.issue({ commonName: name, publicKeySpki }) }
}

/** As people have them from others: openssl makes the file. */
function p12Of(privateKey: KeyObject, certificate: Uint8Array, ...more: string[]): string {
  made += 1
  const [key, certificateFile, file] = [at(`${made}.key`), at(`${made}.pem`), at(`${made}.p12`)]
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(certificateFile, pem(certificate))
  const words = [
    "-export",
    "-inkey",
    key,
    "-in",
    certificateFile,
    "-certfile",
    at("issuing.pem"),
    "-out",
    file,
  ]
  execFileSync("openssl", ["pkcs12", ...words, "-passout", `file:${at("passphrase")}`, ...more], {
    stdio: "pipe",
  })
  return file
}

const newP12 = async (kind: keyof typeof KEYS, ...more: string[]) => {
  const { privateKey, publicKey } = KEYS[kind]()
  const { certificate } = await certified(privateKey, publicKey, "Ada Lovelace")
  return p12Of(privateKey, certificate, ...more)
}

type Said = { readonly code: number; readonly stdout: string; readonly stderr: string }

const paraph = (
  words: readonly string[],
  { env = {}, input }: { env?: Record<string, string>; input?: string } = {},
) =>
  new Promise<Said>((done) => {
    const all = {
      PATH: process.env.PATH,
      PARAPH_PIN_FILE: input === undefined ? at("passphrase") : "",
      ...env,
    }
    const child = execFile(process.execPath, [PARAPH, ...words], { env: all }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    child.stdin?.end(input)
  })

const outside = () => [
  "--tsa",
  sandbox.timestampUrl,
  "--trust",
  at("root.pem"),
  "--allow-host",
  new URL(sandbox.url).host,
]
const verified = async (file: string) =>
  JSON.parse((await paraph(["verify", file, "--trust", at("root.pem"), "--json"])).stdout)
const pdfsig = (file: string) => execFileSync("pdfsig", ["-nocert", file], { encoding: "utf8" })

describe("with a PKCS#12 file", () => {
  it.each(["P-256", "RSA"] as const)(
    "%s: every level is what EU DSS, pyHanko and paraph verify say it is",
    { timeout: 300_000 },
    async (kind) => {
      const key = await newP12(kind)
      const files: Record<string, string> = {}
      for (const level of ["B-B", "B-T", "B-LT", "B-LTA"]) {
        const output = at(`${kind}-${level}.pdf`)
        const words = [
          "sign",
          at("contract.pdf"),
          "--key",
          key,
          "--level",
          level,
          "--output",
          output,
          "--json",
        ]
        const { code, stdout, stderr } = await paraph([
          ...words,
          "--reason",
          "I agree",
          ...(level === "B-B" ? [] : outside()),
        ])
        expect([level, code, stderr]).toEqual([level, 0, ""])
        expect(JSON.parse(stdout)).toMatchObject({ file: output, level, signer: "Ada Lovelace" })
        expect(pdfsig(output)).toContain("Signature is Valid.")
        files[output] = level
      }
      const names = Object.keys(files)
      const judged = await dss({ anchors: [at("root.pem")], online: true }, names)
      for (const name of names) {
        const [signature] = judged.get(name)?.signatures ?? []
        expect([name, signature?.indication, signature?.level]).toEqual([
          name,
          "TOTAL_PASSED",
          `PAdES-BASELINE-${files[name]?.slice(2)}`,
        ])
      }
      const others = await pyhanko(at("root.pem"), names, { online: true })
      for (const name of names)
        expect(others.get(name)?.signatures?.[0]).toMatchObject({ valid: true, intact: true, trusted: true })
      expect((await verified(at(`${kind}-B-LT.pdf`))).standing).toBe("holds")
      expect((await verified(at(`${kind}-B-LTA.pdf`))).standing).toBe("holds")
    },
  )

  it("the passphrase comes by the input too, and an older encryption is read", {
    timeout: 120_000,
  }, async () => {
    const old = ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"]
    const key = await newP12("P-256", ...old)
    const output = at("old.pdf")
    const { code, stderr } = await paraph(["sign", at("contract.pdf"), "--key", key, "--output", output], {
      input: `${PASSPHRASE}\n`,
    })
    expect([code, stderr]).toEqual([0, ""])
    expect(pdfsig(output)).toContain("Signature is Valid.")
    // A second one on top of it.
    const again = await paraph(["sign", output, "--key", key, "--output", at("twice.pdf")])
    expect(again.code).toBe(0)
    expect(pdfsig(at("twice.pdf")).match(/Signature is Valid\./g)).toHaveLength(2)
  })

  it("refuses in words, and leaves no file", { timeout: 200_000 }, async () => {
    const key = await newP12("P-256")
    const output = at("refused.pdf")
    const tried = async (words: readonly string[], told: string, code = 1, input?: string) => {
      const said = await paraph(["sign", ...words, "--output", output], input === undefined ? {} : { input })
      expect([said.code, said.stdout]).toEqual([code, ""])
      expect(said.stderr).toContain(told)
      expect(said.stderr).not.toContain("    at ")
      expect(existsSync(output)).toBe(false)
    }
    const contract = at("contract.pdf")
    await tried([contract, "--key", key], "The passphrase does not open it.", 1, "wrong\n")
    await tried([contract, "--key", contract], "no PKCS#12 file")
    await tried([at("root.pem"), "--key", key], "Nothing was signed: ")
    await tried([contract, "--key", key, "--level", "B-T"], "--level B-T needs --tsa", 2)
    await tried([contract, "--key", key, "--passphrase", "x"], "--passphrase", 2)
    const none = ["--level", "B-T", "--tsa", "http://127.0.0.1:1/", "--trust", at("root.pem")]
    await tried([contract, "--key", key, ...none], "Nothing was signed: ")
    // Who may not be asked about revocation is not asked.
    const guarded = outside().filter((_, i) => i < 4)
    await tried([contract, "--key", key, "--level", "B-LT", ...guarded], "Nothing was signed: ")

    const { privateKey, publicKey } = KEYS["P-256"]()
    const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
    const of = (more: object) => sandbox.issue({ commonName: "Grace Hopper", publicKeySpki, ...more })
    const [begun, over] = [new Date("2020-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z")]
    const ended = await of({ rest: { notBefore: begun, notAfter: over } })
    await tried(
      [contract, "--key", p12Of(privateKey, ended)],
      "The certificate of Grace Hopper ended at 2021-01-01",
    )
    const revoked = await of({})
    await sandbox.revoke(revoked)
    await tried([contract, "--key", p12Of(privateKey, revoked), "--level", "B-LT", ...outside()], "revoked")
    const otherUse = await of({ keyUsage: ["keyAgreement"] })
    await tried(
      [contract, "--key", p12Of(privateKey, otherUse)],
      "The certificate of Grace Hopper is not for signatures.",
    )
  })
})

describe("with a token", () => {
  it("the key stays in it; a wrong PIN and a label of nobody are told", { timeout: 200_000 }, async () => {
    const token = makeSofthsmToken()
    try {
      const keys = startKeys(token.settings)
      const publicKeySpki = new Uint8Array(await keys.generate("ada", "P-256"))
      await keys.close()
      const certificate = await sandbox.issue({ commonName: "Ada Lovelace", publicKeySpki })
      writeFileSync(at("token.pem"), pem(certificate) + pem(sandbox.issuing))
      const { module, tokenLabel, pinFile, env } = token.settings
      const device = ["--pkcs11", module, "--token", tokenLabel, "--certificate", at("token.pem")]
      const order = (output: string, label: string, pins = pinFile) =>
        paraph(
          [
            "sign",
            at("contract.pdf"),
            ...device,
            "--key-label",
            label,
            "--level",
            "B-LT",
            ...outside(),
            "--output",
            at(output),
          ],
          {
            env: { ...env, PARAPH_PIN_FILE: pins },
          },
        )
      const { code, stderr, stdout } = await order("token.pdf", "ada")
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(/token\.pdf: signed by Ada Lovelace at .*, B-LT\.\n$/)
      expect((await verified(at("token.pdf"))).standing).toBe("holds")
      expect(await order("nobody.pdf", "bob")).toMatchObject({
        code: 1,
        stderr: `The token ${tokenLabel} has no key bob.\n`,
      })
      writeFileSync(at("token.pem"), pem(sandbox.issuing))
      expect((await order("stranger.pdf", "ada")).stderr).toContain(
        "none of its certificates is of this key.",
      )
      const wrong = await order("wrong.pdf", "ada", at("passphrase"))
      expect(wrong).toMatchObject({ code: 1, stderr: "The token did not accept the PIN.\n" })
      expect(existsSync(at("wrong.pdf"))).toBe(false)
    } finally {
      token.remove()
    }
  })
})
