import { expect, it } from "vitest"
import { DEFAULT_POLICY } from "./default-policy.ts"
import { PolicyRefused, readPolicy } from "./read-policy.ts"

it("a policy of nothing is the strict one, and what it says changes that alone", () => {
  expect(readPolicy("{}")).toEqual(DEFAULT_POLICY)
  const given = {
    name: "mild",
    changes: { visual: "note" },
    revocation: { freshness: { timestamp: { maxAge: { hours: 48 } } } },
    algorithms: { digests: { sha224: "2020-01-01" }, rsa: [{ bits: 3000, until: "for-now" }] },
  }
  const { revocation, algorithms } = DEFAULT_POLICY
  expect(readPolicy(JSON.stringify(given))).toEqual({
    ...DEFAULT_POLICY,
    name: "mild",
    changes: { undefined: "fail", visual: "note", filled: "fail" },
    revocation: {
      ...revocation,
      freshness: { ...revocation.freshness, timestamp: { at: "use", maxAge: { hours: 48 } } },
    },
    algorithms: {
      ...algorithms,
      digests: { ...algorithms.digests, sha224: "2020-01-01" },
      rsa: [{ bits: 3000, until: "for-now" }],
    },
  })
})

it.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["a rule that nobody knows", '{"changes":{"undefind":"fail"}}'],
  ["a level that there is not", '{"changes":{"undefined":"warn"}}'],
  ["a digest that nobody knows", '{"algorithms":{"digests":{"md5":"2004-08-01"}}}'],
  ["a date that is none", '{"algorithms":{"digests":{"sha1":"2012-13-01"}}}'],
  ["keys of a negative size", '{"algorithms":{"rsa":[{"bits":-1,"until":"for-now"}]}}'],
  ["an age that is none", '{"revocation":{"freshness":{"signature":{"maxAge":"ever"}}}}'],
  ["a name that is none", '{"name":""}'],
])("a policy of %s is refused, and says where", (_, json) => {
  expect(() => readPolicy(json)).toThrow(PolicyRefused)
})
