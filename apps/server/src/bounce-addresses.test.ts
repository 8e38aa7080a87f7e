import { randomBytes, randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createBounceAddresses } from "./bounce-addresses.ts"

const PATTERN = "bounces+{id}@sign.example.org"
const pepper = randomBytes(32)
const addresses = createBounceAddresses(PATTERN, pepper)

it("names the signature whose mail comes back, whatever the mail servers do to the case", () => {
  for (let i = 0; i < 200; i++) {
    const id = randomUUID()
    const address = addresses.of(id) ?? ""
    expect(address).toMatch(/^bounces\+[a-z2-7]{42}@sign\.example\.org$/)
    expect(address.indexOf("@")).toBeLessThanOrEqual(64)
    expect(addresses.signatureOf(address)).toBe(id)
    expect(addresses.signatureOf(address.toUpperCase())).toBe(id)
  }
})

it("believes no address that it did not make: not one letter of another", () => {
  const address = addresses.of(randomUUID()) ?? ""
  const at = "bounces+".length
  for (let i = at; i < at + 42; i++)
    for (const letter of "abcdefghijklmnopqrstuvwxyz234567")
      if (letter !== address[i])
        expect(addresses.signatureOf(address.slice(0, i) + letter + address.slice(i + 1))).toBeNull()
})

it("believes nothing else either", () => {
  const address = addresses.of(randomUUID()) ?? ""
  for (const other of [
    "",
    "@",
    PATTERN,
    "bounces+@sign.example.org",
    address.replace("sign.", "sing."),
    address.replace("+", "++"),
    address.replace("@", "a@"),
    `x${address}`,
    `${address}.evil.example`,
    `bounces+${"a".repeat(5000)}@sign.example.org`,
  ])
    expect(addresses.signatureOf(other)).toBeNull()
  expect(createBounceAddresses(PATTERN, randomBytes(32)).signatureOf(address)).toBeNull()
})

it("makes and knows none where the operator has none", () => {
  const none = createBounceAddresses("", pepper)
  expect(none.of(randomUUID())).toBeUndefined()
  expect(none.signatureOf("")).toBeNull()
  expect(none.signatureOf(addresses.of(randomUUID()) ?? "")).toBeNull()
})
