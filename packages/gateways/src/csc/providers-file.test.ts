import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { readProvidersFile } from "./providers-file.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-providers-"))
// A peer for its certificate authority, which is as good an anchor as any.
const peer = await startHttpsPeer(() => undefined)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true })
})
const written = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
written("secret", "the secret\n")
written("empty", "\n")
written("no.pem", "no certificate\n")
written("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
const GOOD = {
  name: "acme-qes",
  baseUrl: "https://csc.acme.example/csc/v2",
  clientId: "paraph",
  clientSecretFile: "secret",
  legislation: "ZERTES",
  kind: "production",
  anchorsFile: peer.caFile,
}
const read = (rows: unknown) => readProvidersFile(written("providers.json", JSON.stringify(rows)))

it("reads what an operator wrote, with files beside it", () => {
  const { providers, faults } = read([GOOD, { ...GOOD, name: "other", kind: "demo", legislation: "EIDAS" }])
  expect(faults).toEqual([])
  expect(providers).toMatchObject([
    { name: "acme-qes", clientSecret: "the secret", legislation: "ZERTES", kind: "production" },
    { name: "other", legislation: "EIDAS", kind: "demo" },
  ])
  expect(providers[0]?.anchors.map(({ subjectName }) => subjectName)).toEqual(["Peer CA"])
})

it.each<[string, unknown]>([
  ["name must be of small letters", { ...GOOD, name: "Acme QES" }],
  ["name must be given", { ...GOOD, name: "" }],
  ["baseUrl must be an address", { ...GOOD, baseUrl: "csc.acme.example" }],
  ["baseUrl must be an address", { ...GOOD, baseUrl: "https://u:p@csc.acme.example" }],
  ["baseUrl must be an address", { ...GOOD, baseUrl: "ftp://csc.acme.example" }],
  ["baseUrl must be https", { ...GOOD, baseUrl: "http://csc.acme.example/csc/v2" }],
  ["clientId must be given", { ...GOOD, clientId: 7 }],
  ["legislation must be EIDAS or ZERTES", { ...GOOD, legislation: "eidas" }],
  ["kind must be demo or production", { ...GOOD, kind: "test" }],
  ["clientSecretFile: ENOENT", { ...GOOD, clientSecretFile: "gone" }],
  ["is empty", { ...GOOD, clientSecretFile: "empty" }],
  ["has no certificate", { ...GOOD, anchorsFile: "no.pem" }],
  ["anchorsFile: ", { ...GOOD, anchorsFile: "broken.pem" }],
  ["clientSecret is not a setting", { ...GOOD, clientSecret: "in plain" }],
])("names the fault: %s", (fault, row) => {
  const { providers, faults } = read([row])
  expect(providers).toEqual([])
  expect(faults).toEqual([expect.stringContaining(fault)])
})

it("takes a provider without TLS inside the network, where the operator named it for this", () => {
  const path = written("inside.json", JSON.stringify([{ ...GOOD, baseUrl: "http://10.0.0.7:8080/csc/v2" }]))
  expect(readProvidersFile(path, ["10.0.0.7:8080"]).faults).toEqual([])
  expect(readProvidersFile(path, ["10.0.0.7:8081"]).faults).toEqual([
    expect.stringContaining("must be https"),
  ])
})

it("names all faults at once, and by the provider", () => {
  const { providers, faults } = read([{ ...GOOD, kind: "x", clientId: "" }, {}, GOOD, GOOD])
  expect(providers.length).toBe(2)
  const path = join(folder, "providers.json")
  expect(faults.slice(0, 2)).toEqual([
    `${path}, provider "acme-qes": clientId must be given, as a text.`,
    `${path}, provider "acme-qes": kind must be demo or production.`,
  ])
  expect(faults.filter((fault) => fault.includes("number 2")).length).toBe(7)
  expect(faults.at(-1)).toBe(`${path}: more than one provider is called "acme-qes".`)
})

it.each([
  ["no list", "{}"],
  ["no objects", "[1]"],
  ["no JSON", "["],
])("refuses %s", (_, content) => {
  expect(readProvidersFile(written("odd.json", content))).toMatchObject({
    providers: [],
    faults: [expect.any(String)],
  })
  expect(readProvidersFile(join(folder, "gone.json")).faults).toEqual([expect.stringContaining("ENOENT")])
})
