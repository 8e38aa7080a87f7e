import type { Config } from "@paraph/server/config"
import { describe, expect, it } from "vitest"
import { admin } from "./admin.ts"
import { NotUnderstood } from "./not-understood.ts"

// Nothing listens there: whoever is refused in time does not ask it.
const config = { DATABASE_URL: "postgresql://127.0.0.1:1/none", KEK: "00".repeat(32) } as Config

describe("paraph admin refuses in words", () => {
  it.each([
    ["nothing", [], "create-business, create-user, create-key, revoke-key"],
    ["an unknown act", ["destroy"], "create-business"],
    ["an unknown option", ["create-business", "--nam", "Acme"], "--nam"],
    ["an option without a value", ["create-business", "--name"], "--name"],
    ["a business without a name", ["create-business"], "--name is needed."],
    ["a business with a blank name", ["create-business", "--name", "  "], "--name is needed."],
    ["a user without a business", ["create-user", "--username", "ann"], "--business is needed."],
    ["a key without a kind", ["create-key", "--user", "ann"], "--kind is needed."],
    [
      "a key of an unknown kind",
      ["create-key", "--user", "ann", "--kind", "prod"],
      "--kind is demo or production.",
    ],
    ["a key to revoke without its id", ["revoke-key"], "--key is needed."],
  ])("%s", async (_, words, sentence) => {
    const run = admin(config, words)
    await expect(run).rejects.toBeInstanceOf(NotUnderstood)
    await expect(run).rejects.toThrow(sentence)
  })
})
