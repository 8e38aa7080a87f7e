import { expect, it } from "vitest"
import { readDer } from "../der/der.ts"
import { oid, sequence, utf8String } from "../der/der-writer.ts"
import { EXTENSION } from "./extensions.ts"
import { NAME_PROOF_POLICY, readNameProof, writeNameProof } from "./name-proof.ts"

const at = new Date("2026-11-18T09:00:00.000Z")
const withPolicies = (...policies: readonly Uint8Array[]) => [
  { id: EXTENSION.certificatePolicies, critical: false, value: sequence(...policies) },
]

it("[B3] states the provider that identified the subject, and when, next to other policies", () => {
  const statement = { by: "identification", provider: "demo_ident", at } as const
  const other = sequence(oid("1.3.6.1.4.1.99999.1"))
  expect(readNameProof(withPolicies(other, writeNameProof(statement)))).toEqual(statement)
})

it("[B3] states that a member of the business met the subject, and not who", () => {
  const statement = { by: "member", provider: null, at } as const
  const written = writeNameProof(statement)
  expect(readNameProof(withPolicies(written))).toEqual(statement)
  expect(Buffer.from(written).toString("latin1")).toContain(
    "Name established by a member of the business in person on 2026-11-18T09:00:00.000Z",
  )
  expect(readDer(written).children).toHaveLength(2)
})

it("is nothing where the policy is not there, or says something else", () => {
  const notice = (text: string) =>
    sequence(oid(NAME_PROOF_POLICY), sequence(sequence(oid("1.3.6.1.5.5.7.2.2"), sequence(utf8String(text)))))
  const odd = [
    withPolicies(sequence(oid("1.3.6.1.4.1.99999.1"))),
    withPolicies(sequence(oid(NAME_PROOF_POLICY))),
    withPolicies(notice("Name established by nobody on 2026-11-18T09:00:00.000Z")),
    withPolicies(notice("Name established by identification by x on 2026-99-99T09:00:00.000Z")),
    [{ id: EXTENSION.certificatePolicies, critical: false, value: Uint8Array.of(1, 2, 3) }],
    [],
  ]
  for (const extensions of odd) expect(readNameProof(extensions)).toBeNull()
})

it("cuts the name of a provider where the notice would be longer than RFC 5280 allows", () => {
  const written = writeNameProof({ by: "identification", provider: "x".repeat(300), at })
  expect(readNameProof(withPolicies(written))?.provider).toBe("x".repeat(100))
})
