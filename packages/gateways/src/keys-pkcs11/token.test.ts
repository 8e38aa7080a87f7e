import { execFileSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startKeys } from "./keys.ts"
import { startSecretKeys } from "./secret-keys.ts"
import { makeSofthsmToken } from "./testing/softhsm-token.ts"

type Attempts = {
  readonly label: string
  readonly read: readonly string[]
  readonly [attempt: string]: unknown
}

const token = makeSofthsmToken()
const PAIRS = ["P-256", "P-384", "RSA-2048"] as const
const KINDS = [...PAIRS, "AES-256"] as const
let found: { readonly keys: readonly Attempts[]; readonly control: Readonly<Record<string, string>> }

beforeAll(async () => {
  const keys = startKeys(token.settings)
  for (const kind of PAIRS) await keys.generate(kind, kind)
  await keys.close()
  const secrets = startSecretKeys(token.settings)
  await secrets.generate("AES-256")
  await secrets.close()
  const program = new URL("./testing/try-to-export.ts", import.meta.url).pathname
  const { module, tokenLabel, env } = token.settings
  const args = [program, module, tokenLabel, token.pin]
  found = JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }))
})
afterAll(() => token.remove())

describe.each(KINDS)("a key of kind %s, made in a token, even for one who has the PIN", (kind) => {
  const key = () => {
    const one = found.keys.find(({ label }) => label === kind)
    if (one === undefined) throw new Error("The program did not find the key.")
    return one
  }

  it("[R33] shows none of its secret values", () => {
    expect(key().read.length).toBe(kind === "RSA-2048" ? 4 : 1)
    expect(new Set(key().read)).toEqual(new Set(["CKR_ATTRIBUTE_SENSITIVE"]))
  })

  it("cannot be wrapped, while another key can", () => {
    expect(key()).toMatchObject({ wrapped: "CKR_KEY_UNEXTRACTABLE" })
    expect(found.control).toEqual({ wrapped: "done", wrappedSecret: "done" })
  })

  it("[R33] cannot be made extractable or readable afterwards, nor copied into such a key", () => {
    for (const attempt of ["madeExtractable", "madeReadable", "copied"])
      expect([attempt, key()[attempt]]).toEqual([attempt, expect.stringMatching(/^CKR_ATTRIBUTE_READ_ONLY/)])
  })

  it("says that it was born there, was never extractable, and can only do the one thing it is for", () => {
    const isSecret = kind === "AES-256"
    expect(key()).toMatchObject({
      sensitive: true,
      alwaysSensitive: true,
      extractable: false,
      neverExtractable: true,
      local: true,
      signs: !isSecret,
      decrypts: isSecret,
      unwraps: false,
      derives: false,
      ...(isSecret ? { encrypts: true, wraps: false } : {}),
    })
  })
})
