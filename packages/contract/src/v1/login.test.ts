import { Value } from "typebox/value"
import { expect, it } from "vitest"
import { readSample } from "../v2/samples/read.ts"
import { LoginBody, parseForm, readLogin, TOKEN_LIFETIME_SECONDS } from "./login.ts"

it("the form of a login is read as the JSON of v2 is", () => {
  const sample = readSample("login") as Record<string, string>
  const form = parseForm(new URLSearchParams(sample).toString())
  expect(readLogin(Value.Parse(LoginBody, form))).toEqual({
    username: "acme-integration",
    apiKey: sample["api-key"],
  })
})

it("a form is undone: plus is a space, and octets are percent-encoded UTF-8", () => {
  expect(parseForm("username=Zo%C3%AB+%2B%26%3D&api-key=k")).toEqual({ username: "Zoë +&=", "api-key": "k" })
})

it.each([
  ["nothing", ""],
  ["no key", "username=a"],
  ["a key by another name", "username=a&apikey=k"],
  ["JSON", '{"username":"a","api-key":"k"}'],
  ["a user name of 256 characters", `username=${"x".repeat(256)}&api-key=k`],
  ["NUL in the user name", "username=%00&api-key=k"],
  ["what every object has", "__proto__=a&constructor=b"],
])("a form is not of the schema with %s", (_, text) => {
  expect(Value.Check(LoginBody, parseForm(text))).toBe(false)
})

it("a form with a field twice is refused, since nobody can tell which was meant", () => {
  expect(() => parseForm("username=a&username=b&api-key=k")).toThrow(
    expect.objectContaining({ code: "constraint-violated" }),
  )
})

it("a token of v1 lives for 60 minutes", () => {
  expect(TOKEN_LIFETIME_SECONDS).toBe(3600)
})
