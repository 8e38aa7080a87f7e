import { Value } from "typebox/value"
import { expect, it } from "vitest"
import { LoginBody, readLogin, TOKEN_LIFETIME_SECONDS } from "./login.ts"
import { readSample } from "./samples/read.ts"

it("the body of a login reads the sample", () => {
  const body = Value.Parse(LoginBody, readSample("login"))
  expect(readLogin(body)).toEqual({ username: "acme-integration", apiKey: readSample("login")["api-key"] })
})

it.each([
  ["no user name", { username: undefined }],
  ["no key", { "api-key": undefined }],
  ["a key that is null", { "api-key": null }],
  ["a user name of 256 characters", { username: "x".repeat(256) }],
  ["a key of 256 characters", { "api-key": "x".repeat(256) }],
])("the body of a login is not of the schema with %s", (_, change) => {
  expect(Value.Check(LoginBody, { ...readSample("login"), ...change })).toBe(false)
})

it("a token of v2 lives for 20 minutes", () => {
  expect(TOKEN_LIFETIME_SECONDS).toBe(1200)
})
