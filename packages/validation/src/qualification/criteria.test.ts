import { describe, expect, it } from "vitest"
import type { Criterion } from "../trusted-list/trusted-list.ts"
import type { CertificateFacts } from "./certificate-facts.ts"
import { meets } from "./criteria.ts"

const FACTS: CertificateFacts = {
  issuedAt: 0,
  isCompliant: true,
  isInDevice: true,
  types: ["esign"],
  countries: undefined,
  policies: ["1.2.3", "1.2.4"],
  keyUsage: ["contentCommitment"],
  extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"],
  hasSubjectAttribute: (type) => type === "2.5.4.42",
}

const yes: Criterion = { kind: "policies", policies: ["1.2.3"] }
const no: Criterion = { kind: "policies", policies: ["1.2.9"] }
const unknown: Criterion = { kind: "unknown" }
const list = (assert: "all" | "atLeastOne" | "none", ...of: readonly Criterion[]): Criterion => ({
  kind: "list",
  assert,
  of,
})

describe("criteria of a qualification (TS 119 612, 5.5.9.2.2)", () => {
  it.each<readonly [string, Criterion, boolean | undefined]>([
    ["all policies of a set", { kind: "policies", policies: ["1.2.4", "1.2.3"] }, true],
    ["one policy of a set is missing", { kind: "policies", policies: ["1.2.3", "1.2.9"] }, false],
    ["a bit that must be set", { kind: "key-usage", bits: { contentCommitment: true } }, true],
    ["a bit that must not be set", { kind: "key-usage", bits: { digitalSignature: false } }, true],
    [
      "a bit that must be set and is not",
      { kind: "key-usage", bits: { contentCommitment: true, digitalSignature: true } },
      false,
    ],
    ["a bit that must not be set and is", { kind: "key-usage", bits: { contentCommitment: false } }, false],
    ["a purpose", { kind: "extended-key-usage", purposes: ["1.3.6.1.5.5.7.3.4"] }, true],
    ["another purpose", { kind: "extended-key-usage", purposes: ["1.3.6.1.5.5.7.3.1"] }, false],
    ["an attribute of the subject", { kind: "subject-attributes", types: ["2.5.4.42"] }, true],
    [
      "another attribute of the subject",
      { kind: "subject-attributes", types: ["2.5.4.42", "2.5.4.10"] },
      false,
    ],
    ["all", list("all", yes, yes), true],
    ["not all", list("all", yes, no), false],
    ["at least one", list("atLeastOne", no, yes), true],
    ["not even one", list("atLeastOne", no, no), false],
    ["none", list("none", no, no), true],
    ["not none", list("none", no, yes), false],
    ["lists in lists", list("all", list("atLeastOne", no, yes), list("none", no)), true],
    ["something unknown", unknown, undefined],
    ["all, where one is unknown", list("all", yes, unknown), undefined],
    ["not all, whatever the unknown one is", list("all", no, unknown), false],
    ["at least one, whatever the unknown one is", list("atLeastOne", yes, unknown), true],
    ["at least one, where it depends on the unknown one", list("atLeastOne", no, unknown), undefined],
    ["none, where it depends on the unknown one", list("none", no, unknown), undefined],
    ["not none, whatever the unknown one is", list("none", yes, unknown), false],
  ])("%s", (_, criterion, answer) => {
    expect(meets(FACTS, criterion)).toBe(answer)
  })
})
