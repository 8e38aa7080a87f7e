import { argon2Sync, randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { createPasswords } from "./passwords.ts"

const pepper = (id: string) => ({ id: id.repeat(16), bytes: randomBytes(32) })
const PEPPER = { current: pepper("a"), earlier: [] }
const passwords = createPasswords(PEPPER, { memory: 64, passes: 1, parallelism: 1 })

it("knows its own password and no other, in whichever process the pepper is the same", async () => {
  const hash = await passwords.hash("a@example.com", "correct horse battery")
  expect(await passwords.check("a@example.com", hash, "correct horse battery")).toBe("right")
  expect(await passwords.check("a@example.com", hash, "correct horse batterz")).toBe("wrong")
  const elsewhere = createPasswords(PEPPER, { memory: 64, passes: 1, parallelism: 1 })
  expect(await elsewhere.check("a@example.com", hash, "correct horse battery")).toBe("right")
  const withoutPepper = createPasswords(
    { current: pepper("b"), earlier: [] },
    { memory: 64, passes: 1, parallelism: 1 },
  )
  expect(await withoutPepper.check("a@example.com", hash, "correct horse battery")).toBe("wrong")
})

it("says when a password was hashed by other parameters than those of today", async () => {
  const older = await createPasswords(PEPPER, { memory: 32, passes: 1, parallelism: 1 }).hash(
    "a@example.com",
    "some words",
  )
  expect(await passwords.check("a@example.com", older, "some words")).toBe("right, to be renewed")
})

it("[11.2.2] knows a password by an earlier pepper until that is removed, and then wants it hashed by the current one", async () => {
  const parameters = { memory: 64, passes: 1, parallelism: 1 }
  const next = pepper("c")
  const both = createPasswords({ current: next, earlier: [PEPPER.current] }, parameters)
  const before = await passwords.hash("a@example.com", "correct horse battery")
  const unnamed = before.replace(/,keyid=[^$]+/, "")
  for (const hash of [before, unnamed]) {
    expect(await both.check("a@example.com", hash, "correct horse battery")).toBe("right, to be renewed")
    expect(await both.check("a@example.com", hash, "correct horse batterz")).toBe("wrong")
    const after = createPasswords({ current: next, earlier: [] }, parameters)
    expect(await after.check("a@example.com", hash, "correct horse battery")).toBe("wrong")
  }
  expect(
    await both.check(
      "a@example.com",
      await both.hash("a@example.com", "correct horse battery"),
      "correct horse battery",
    ),
  ).toBe("right")
  expect(
    await passwords.check(
      "a@example.com",
      await both.hash("a@example.com", "correct horse battery"),
      "correct horse battery",
    ),
  ).toBe("wrong")
})

it("writes two hashes of one password differently, each with its parameters", async () => {
  const [one, other] = [
    await passwords.hash("a@example.com", "twice the same"),
    await passwords.hash("a@example.com", "twice the same"),
  ]
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1,keyid=qqqqqqqqqqo\$/)
})

it("hashes a password that nobody has as long as one that somebody has", async () => {
  expect(await passwords.check("a@example.com", null, "anything")).toBe("wrong")
})

it("works at two at a time and lets a hundred wait, so that logins take neither the memory nor the threads", async () => {
  const asked = Array.from({ length: 150 }, (_, n) => passwords.check(`a${n}@example.com`, null, "wrong"))
  const told = await Promise.all(asked.map((check) => check.catch((error: { code: string }) => error.code)))
  expect(told.filter((answer) => answer === "wrong")).toHaveLength(102)
  expect(told.filter((answer) => answer === "part-down")).toHaveLength(48)
  expect(await passwords.check("a@example.com", null, "wrong")).toBe("wrong")
})

it("is argon2id as RFC 9106 has it (5.3, the test vector)", () => {
  const tag = argon2Sync("argon2id", {
    message: Buffer.alloc(32, 1),
    nonce: Buffer.alloc(16, 2),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
    parallelism: 4,
    memory: 32,
    passes: 3,
    tagLength: 32,
  })
  expect(tag.toString("hex")).toBe("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
})
