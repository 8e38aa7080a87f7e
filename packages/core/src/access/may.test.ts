import { describe, expect, it } from "vitest"
import { ROLES, type Role } from "../business/model.ts"
import { Refusal } from "../refusal.ts"
import type { Caller } from "./caller.ts"
import { type Guarded, mustHaveRole, mustRead, mustWrite } from "./may.ts"

const thing: Guarded = {
  businessId: "acme",
  kind: "production",
  ownerId: "olga-id",
  readAccess: ["rita", "both"],
  writeAccess: ["wim", "both"],
}

const caller = (username: string, more: Partial<Caller> = {}): Caller => ({
  businessId: "acme",
  userId: `${username}-id`,
  username,
  keyId: "key",
  kind: "production",
  ...more,
})

describe.each([
  ["the owner", caller("olga"), "read", "write"],
  ["a writer", caller("wim"), "read", "write"],
  ["a reader and writer", caller("both"), "read", "write"],
  ["a reader", caller("rita"), "read", "write-access-needed"],
  ["a colleague who is on no list", caller("carl"), "not-found", "not-found"],
  ["the owner with a demo key", caller("olga", { kind: "demo" }), "not-found", "not-found"],
  ["a writer with a demo key", caller("wim", { kind: "demo" }), "not-found", "not-found"],
  ["a reader with a demo key", caller("rita", { kind: "demo" }), "not-found", "not-found"],
  ["a writer's name in another business", caller("wim", { businessId: "other" }), "not-found", "not-found"],
  ["a reader's name in another business", caller("rita", { businessId: "other" }), "not-found", "not-found"],
  ["the owner's id in another business", caller("olga", { businessId: "other" }), "not-found", "not-found"],
  ["a user whose name is the owner's id", caller("olga-id", { userId: "x" }), "not-found", "not-found"],
  ["a reader whose name was listed in another case", caller("Rita"), "read", "write-access-needed"],
  ["a writer whose name was listed in another case", caller("WIM"), "read", "write"],
] as const)("%s", (_, who, reading, writing) => {
  it(`is answered "${reading}" on reading and "${writing}" on writing`, () => {
    expect(answerOf(() => mustRead(who, thing), "read")).toBe(reading)
    expect(answerOf(() => mustWrite(who, thing), "write")).toBe(writing)
  })
})

it("a thing that may not be read and one that does not exist get the very same answer", () => {
  const stranger = caller("carl")
  const told = [thing, null].flatMap((one) =>
    [mustRead, mustWrite].map((must) => errorOf(() => must(stranger, one))),
  )
  expect(new Set(told.map((e) => `${e.code} ${e.message}`))).toEqual(
    new Set(["not-found There is no such object."]),
  )
})

function answerOf(must: () => Guarded, allowed: string): string {
  try {
    return must() === thing ? allowed : "another thing"
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

function errorOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error("It was not refused.")
}

describe("a role", () => {
  const person = (role: Role) => caller("ann@acme.example", { via: "session", role })

  it.each([
    ["owner", ["owner", "admin"], "allowed"],
    ["admin", ["owner", "admin"], "allowed"],
    ["developer", ["owner", "admin"], "role-needed"],
    ["member", ["owner", "admin"], "role-needed"],
    ["member", ROLES, "allowed"],
    ["member", [], "role-needed"],
  ] as const)("%s where %j is needed: %s", (role, needed, answer) => {
    const act = () => mustHaveRole(person(role), needed)
    expect(answer === "allowed" ? act() : errorOf(act).code).toBe(answer === "allowed" ? role : answer)
  })

  it("is what no API key has, and who is told so learns which one is needed", () => {
    const { code, message } = errorOf(() => mustHaveRole(caller("olga"), ["owner", "admin", "developer"]))
    expect([code, message]).toEqual([
      "role-needed",
      "Only people of the business can do this, as owner, admin, or developer.",
    ])
  })
})
