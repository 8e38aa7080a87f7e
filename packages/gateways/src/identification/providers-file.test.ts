import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readIdentificationProviders } from "./providers-file.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paraph-registry-"))
  writeFileSync(join(folder, "secret"), "of the client\n")
  writeFileSync(join(folder, "empty"), " \n")
})
afterAll(() => rmSync(folder, { recursive: true }))

const GOOD = {
  name: "acme_ident",
  title: "Acme Ident",
  kind: "production",
  issuer: "https://ident.acme.example",
  clientId: "paraph",
  clientSecretFile: "secret",
  userInfoAlgorithm: "ES256",
  trustFrameworks: ["eidas"],
}

function read(rows: unknown, allowedHosts: readonly string[] = []) {
  const path = join(folder, "registry.json")
  writeFileSync(path, typeof rows === "string" ? rows : JSON.stringify(rows))
  return readIdentificationProviders(path, allowedHosts)
}

it("reads providers, with what is usual where nothing is said; one name may be of a demo and a real one", () => {
  const { providers, faults } = read([GOOD, { ...GOOD, kind: "demo", verifiedWithinDays: 30 }])
  expect(faults).toEqual([])
  expect(providers).toMatchObject([
    {
      name: "acme_ident",
      clientSecret: "of the client",
      scopes: ["openid"],
      acrValues: [],
      assuranceLevels: [],
      evidenceTypes: ["document", "electronic_record"],
      verifiedWithinDays: null,
    },
    { kind: "demo", verifiedWithinDays: 30 },
  ])
})

it.each<[string, object]>([
  ["name must be of small letters", { name: "Acme Ident" }],
  ["title must be given", { title: "" }],
  ["kind must be demo or production", { kind: "test" }],
  ["issuer must be an address", { issuer: "ident" }],
  ["issuer must be an address", { issuer: "https://a:b@ident.example" }],
  ["issuer must be https", { issuer: "http://ident.acme.example" }],
  ["userInfoAlgorithm must be one of", { userInfoAlgorithm: "none" }],
  ["userInfoAlgorithm must be one of", { userInfoAlgorithm: "HS256" }],
  ["userInfoAlgorithm must be given", { userInfoAlgorithm: undefined }],
  ["trustFrameworks must name those that count", { trustFrameworks: [] }],
  ["trustFrameworks must be a list of texts", { trustFrameworks: "eidas" }],
  ["scopes must have openid", { scopes: ["profile"] }],
  ["clientSecretFile: ", { clientSecretFile: "nowhere" }],
  ["is empty", { clientSecretFile: "empty" }],
  ["verifiedWithinDays must be a number of days", { verifiedWithinDays: 0.5 }],
  ["secret is not a setting", { secret: "x" }],
])("tells that %s", (fault, more) => {
  const { providers, faults } = read([{ ...GOOD, ...more }])
  expect(faults.join("\n")).toContain(fault)
  expect(providers).toEqual([])
})

it("takes plain http from a host that the operator named, and two of one name and kind from nobody", () => {
  expect(read([{ ...GOOD, issuer: "http://127.0.0.1:9000" }], ["127.0.0.1"]).faults).toEqual([])
  expect(read([GOOD, GOOD]).faults.join()).toContain(
    "more than one provider is called acme_ident (production)",
  )
  expect(read("{}").faults.join()).toContain("must be a list of objects")
  expect(read("[").faults).toHaveLength(1)
})
