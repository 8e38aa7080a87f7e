import type { Config } from "@paraph/server/config"
import { describe, expect, it } from "vitest"
import { seal } from "./seal.ts"

// Nothing listens there: whoever is refused in time does not ask it.
const config = { DATABASE_URL: "postgresql://127.0.0.1:1/none" } as Config

const WHICH = [
  ...["--business", "0c6c8a0e-0000-4000-8000-000000000000"],
  ...["--kind", "production", "--name", "main"],
]

describe("paraph seal refuses in words", () => {
  it.each([
    ["nothing", [], "create, request, install, list, end"],
    ["an unknown act", ["melt"], "create"],
    ["an unknown option", ["create", ...WHICH, "--organisation", "Acme"], "--organisation"],
    ["no business", ["list"], "--business is needed."],
    ["a business that is none", ["list", "--business", "acme"], "--business is no id."],
    ["an unknown kind", ["end", ...WHICH, "--kind", "prod"], "--kind is demo or production."],
    ["no organisation", ["create", ...WHICH], "--organization is needed."],
    ["a long one", ["create", ...WHICH, "--organization", "x".repeat(65)], "1 to 64 characters"],
    [
      "a number of no register",
      ["create", ...WHICH, "--organization", "A", "--identifier", "123"],
      "NTRCH-CHE-123.456.789",
    ],
    [
      "a country of words",
      ["create", ...WHICH, "--organization", "A", "--country", "ch"],
      "two capital letters",
    ],
    ["a weak key", ["create", ...WHICH, "--organization", "A", "--key", "RSA-1024"], "--key is"],
    ["a name of two lines", ["end", ...WHICH, "--name", "a\nb"], "name contains a line break (U+000A)"],
    ["a file that is not there", ["install", ...WHICH, "--file", "/nowhere.pem"], "cannot be read"],
  ])("%s", async (_, words, told) => {
    await expect(seal(() => config, words)).rejects.toThrow(told)
  })
})
