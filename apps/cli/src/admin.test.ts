import type { Config } from "@paraph/server/config"
import { describe, expect, it } from "vitest"
import { admin } from "./admin.ts"
import { NotUnderstood } from "./not-understood.ts"

// Nothing listens there: whoever is refused in time does not ask it.
const config = { DATABASE_URL: "postgresql://127.0.0.1:1/none", KEK: "00".repeat(32) } as Config

const ID = "00000000-0000-4000-8000-000000000000"

describe("paraph admin refuses in words", () => {
  it.each([
    ["nothing", [], "create-business, show-business, set-feature"],
    ["an unknown act", ["destroy"], "create-business"],
    ["an unknown option", ["create-business", "--nam", "Acme"], "--nam"],
    ["an option without a value", ["create-business", "--name"], "--name"],
    ["a business without a name", ["create-business"], "--name is needed."],
    ["a business with a blank name", ["create-business", "--name", "  "], "--name is needed."],
    ["a user without a business", ["create-user", "--username", "ann"], "--business is needed."],
    [
      "an id that is none",
      ["create-user", "--username", "ann", "--business", "acme"],
      "--business is no id.",
    ],
    ["a key without a kind", ["create-key", "--user", "ann"], "--kind is needed."],
    [
      "a key of an unknown kind",
      ["create-key", "--user", "ann", "--kind", "prod"],
      "--kind is demo or production.",
    ],
    [
      "a lifetime that is none",
      ["create-key", "--user", "ann", "--kind", "demo", "--days", "0"],
      "--days is 1 to 3650.",
    ],
    ["a key to revoke without its id", ["revoke-key"], "--key is needed."],
    ["a key to reset without its id", ["reset-key"], "--key is needed."],
    ["an option of another act", ["list-keys", "--key", ID], "--key"],
    [
      "an unknown feature",
      ["set-feature", "--business", ID, "--feature", "flying", "--on"],
      "--feature is sealing, expires_at, group_observers, express_qes or vouching.",
    ],
    [
      "a feature neither on nor off",
      ["set-feature", "--business", ID, "--feature", "sealing"],
      "Either --on or --off",
    ],
    [
      "a feature both on and off",
      ["set-feature", "--business", ID, "--feature", "sealing", "--on", "--off"],
      "Either --on or --off",
    ],
    ["a retention that is none", ["set-retention", "--business", ID, "--days", "-1"], "--days"],
    ["a retention of words", ["set-retention", "--business", ID, "--days", "some"], "--days is 1 to 36500."],
    [
      "an unknown quality",
      ["set-default-quality", "--business", ID, "--quality", "DEMO"],
      "--quality is SES, AES, AES_MINIMAL or QES.",
    ],
    [
      "an unknown role",
      ["add-member", "--business", ID, "--email", "a@b.c", "--name", "Ann", "--role", "king"],
      "--role is owner, admin, developer or member.",
    ],
    ["an address that is none", ["add-operator", "--email", "ann", "--name", "Ann"], "--email is no e-mail"],
    [
      "a domain of everybody",
      ["grant-domain", "--business", ID, "--domain", "Gmail.com"],
      "Anybody gets an address",
    ],
    [
      "a domain that is none",
      ["grant-domain", "--business", ID, "--domain", "localhost"],
      "--domain is a name",
    ],
    ["a time that is none", ["audit-log", "--since", "yesterday"], "--since is a date"],
    ["a date that is none", ["audit-log", "--since", "2026-13-01"], "--since is a date"],
  ])("%s", async (_, words, sentence) => {
    const run = admin(() => config, words)
    await expect(run).rejects.toBeInstanceOf(NotUnderstood)
    await expect(run).rejects.toThrow(sentence)
  })
})
