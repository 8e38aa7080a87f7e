import { expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import type { Hashes } from "./hashes.ts"
import { login } from "./login.ts"

const ann: Caller = { businessId: "b1", userId: "u1", username: "ann", keyId: "k1", kind: "demo" }
const NOW = new Date("2026-11-02T09:00:00Z")

it("answers the caller whose key it is, looked up by name, hash and time", async () => {
  const asked: unknown[] = []
  const findKey = async (...question: unknown[]) => {
    asked.push(question)
    return ann
  }
  const hashesOf = (key: string): Hashes => ({
    pepperId: "one",
    current: new TextEncoder().encode(`hash of ${key}`),
    earlier: [],
  })
  const found = await login(
    { findKey, hashKey: hashesOf, now: () => NOW },
    { username: "ann", apiKey: "secret" },
  )
  expect(found).toBe(ann)
  expect(asked).toEqual([["ann", hashesOf("secret"), NOW]])
})

it("refuses an unknown name and a wrong key with the same words, after hashing the key in any case", async () => {
  const told = new Set<string>()
  let hashed = 0
  const hashKey = () => {
    hashed += 1
    return { pepperId: "one", current: new Uint8Array(), earlier: [] }
  }
  for (const username of ["ann", "nobody", ""])
    await login({ findKey: async () => null, hashKey, now: () => NOW }, { username, apiKey: "wrong" }).catch(
      (error: { code: string; message: string }) => told.add(`${error.code}: ${error.message}`),
    )
  expect([...told]).toEqual(["credentials-invalid: User name or API key is wrong."])
  expect(hashed).toBe(3)
})
