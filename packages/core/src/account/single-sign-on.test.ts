import { expect, it } from "vitest"
import { claimedName, domainOf } from "./single-sign-on.ts"
import { domainFault } from "./single-sign-on-domain.ts"

it.each([
  ["ada@Example.ORG", "example.org"],
  ['"ada@example.org"@evil.example', "evil.example"],
  ["no address", "no address"],
])("the domain of %j is %j", (email, domain) => {
  expect(domainOf(email)).toBe(domain)
})

it.each([
  ["example.org", null],
  ["sub.example.co.uk", null],
  ["xn--mller-kva.example", null],
  ["example.xn--p1ai", null],
  ["gmail.com", "public"],
  ["bluewin.ch", "public"],
  ["localhost", "no domain"],
  ["example.org.", "no domain"],
  ["example..org", "no domain"],
  ["-example.org", "no domain"],
  ["müller.example", "no domain"],
  ["127.0.0.1", "no domain"],
  ["ada@example.org", "no domain"],
  [`${"a".repeat(64)}.org`, "no domain"],
  ["", "no domain"],
])("%j as a domain of a business is %j", (domain, fault) => {
  expect(domainFault(domain)).toBe(fault)
})

it.each([
  ["Ada Lovelace", "Ada Lovelace"],
  ["Ada\r\n\u202eLove\u200blace", "Ada Lovelace"],
  ["x".repeat(300), "x".repeat(200)],
  ["Ada Lovelace, Qualified electronic signature (QES)", null],
  ["\u200b\n", null],
  ["", null],
  [null, null],
])("[B11] a provider's claim %j calls a member %j", (claim, name) => {
  expect(claimedName(claim)).toBe(name)
})
