import { KeysFailed } from "@paraph/gateways/keys-failed"
import { describe, expect, it } from "vitest"
import { faultTold } from "./fault-told.ts"

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })
const ofS3 = (httpStatusCode: number, name: string) =>
  Object.assign(new Error("UnknownError"), { name, $metadata: { httpStatusCode } })

describe("a fault that an operator can mend", () => {
  it.each([
    ["no schema", withCode("42P01", 'relation "business" does not exist'), "paraph migrate"],
    ["no queue", new Error("pg-boss is not installed"), "paraph migrate"],
    ["a wrong password", withCode("28P01", "password authentication failed"), "DATABASE_URL"],
    ["a role without rights", withCode("42501", "permission denied for schema public"), "DATABASE_OWNER_URL"],
    [
      "a migration by a role without rights",
      new Error("Unable to ensure migrations table: error: permission denied for schema public"),
      "DATABASE_OWNER_URL",
    ],
    ["no bucket", ofS3(404, "UnknownError"), "S3_BUCKET"],
    ["a wrong access key", ofS3(403, "UnknownError"), "S3_ACCESS_KEY"],
    ["another region", ofS3(301, "PermanentRedirect"), "S3_REGION"],
    ["nobody there", withCode("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432"), "127.0.0.1:5432"],
    ["a full disk", withCode("ENOSPC", "ENOSPC: no space left on device, write"), "disk is full"],
    ["a module that says a code alone", new KeysFailed("device", "CKR_GENERAL_ERROR"), "PKCS11_MODULE"],
    ["a wrong PIN", new KeysFailed("pin", "The token did not accept the PIN."), "PIN"],
  ])("is told in one sentence that says where to look: %s", (_, error, word) => {
    const told = faultTold(error)
    expect(told).toContain(word)
    expect(told).toMatch(/^[^\n]+\.$/)
  })

  it("is found in what gathers several attempts", () => {
    const refused = withCode("ECONNREFUSED", "connect ECONNREFUSED ::1:5432")
    expect(faultTold(new AggregateError([refused, refused]))).toContain("::1:5432")
  })

  it("is no fault of ours: that one keeps its stack", () => {
    expect(faultTold(new TypeError("undefined is not a function"))).toBeNull()
    expect(faultTold(withCode("23505", "duplicate key value"))).toBeNull()
    expect(faultTold("a word")).toBeNull()
  })
})
