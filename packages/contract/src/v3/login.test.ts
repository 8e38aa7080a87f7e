import { Value } from "typebox/value"
import { expect, it } from "vitest"
import { readSample } from "../v2/samples/read.ts"
import { LoginBody, readLogin, TOKEN_LIFETIME_SECONDS } from "./login.ts"

it("the body of a login reads the sample", () => {
  const body = Value.Parse(LoginBody, readSample("login"))
  expect(readLogin(body)).toEqual({ username: "acme-integration", apiKey: readSample("login")["api-key"] })
})

it.each([
  ["no user name", { username: undefined }],
  ["no key", { "api-key": undefined }],
  ["a member that is not known", { api_key: "k" }],
])("the body of a login is not of the schema with %s", (_, change) => {
  expect(Value.Check(LoginBody, { ...readSample("login"), ...change })).toBe(false)
})

it("a token of v3 lives for 20 minutes", () => {
  expect(TOKEN_LIFETIME_SECONDS).toBe(1200)
})
