import type { Config } from "@paraph/server/config"
import { describe, expect, it } from "vitest"
import { ca } from "./ca.ts"
import { NotUnderstood } from "./not-understood.ts"

// Nothing listens there: whoever is refused in time does not ask it.
const config = { DATABASE_URL: "postgresql://127.0.0.1:1/none" } as Config

const DEMO = ["--kind", "demo"]

describe("paraph ca refuses in words", () => {
  it.each([
    ["nothing", [], "init, request, install, list, roll, revoke"],
    ["an unknown act", ["destroy"], "init"],
    ["an unknown option", ["init", "--knd", "demo"], "--knd"],
    ["no kind", ["init", "--organization", "Acme"], "--kind is demo or production."],
    ["an unknown kind", ["roll", "--kind", "prod"], "--kind is demo or production."],
    ["no organisation", ["init", ...DEMO], "--organization is needed."],
    ["a long one", ["request", ...DEMO, "--organization", "x".repeat(65)], "more than 64 characters"],
    [
      "a country of words",
      ["init", ...DEMO, "--organization", "Acme", "--country", "ch"],
      "two capital letters",
    ],
    [
      "half a root's token",
      ["roll", ...DEMO, "--root-token", "safe"],
      "--root-token and --root-pin-file go together",
    ],
    ["a file that is not there", ["install", ...DEMO, "--file", "/nowhere.pem"], "cannot be read"],
    ["no serial", ["revoke", ...DEMO], "--serial is needed."],
    ["a serial of words", ["revoke", ...DEMO, "--serial", "first"], "hexadecimal"],
    [
      "a reason that can be taken back",
      ["revoke", ...DEMO, "--serial", "1f", "--reason", "certificateHold"],
      "--reason is one of",
    ],
  ])("%s", async (_, words, told) => {
    const refused = expect(ca(() => config, words)).rejects
    await refused.toThrow(NotUnderstood)
    await expect(ca(() => config, words)).rejects.toThrow(told)
  })
})
