import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { afterAll, expect, it } from "vitest"
import { readListsFile } from "./lists-file.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-lists-"))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(rows: unknown): string {
  const path = join(folder, "lists.json")
  writeFileSync(path, typeof rows === "string" ? rows : JSON.stringify(rows))
  return path
}
writeFileSync(join(folder, "signers.pem"), rootCertificates.slice(0, 2).join("\n"))
writeFileSync(join(folder, "none.pem"), "nothing")
writeFileSync(join(folder, "copy.xml"), "<list/>")
const GOOD = {
  law: "EU",
  form: "list-of-lists",
  address: "https://lists.example/lotl.xml",
  signersFile: "signers.pem",
}

it("names lists, those who sign them, and copies that lie beside it", () => {
  const { sources, copies, faults } = readListsFile(fileOf([{ ...GOOD, copyFile: "copy.xml" }]))
  expect(faults).toEqual([])
  expect(sources).toEqual([
    {
      law: "EU",
      form: "list-of-lists",
      address: GOOD.address,
      signers: [expect.any(Uint8Array), expect.any(Uint8Array)],
    },
  ])
  expect(String(copies.get(GOOD.address))).toBe("<list/>")
})

it("tells every fault at once", () => {
  const path = fileOf([
    { ...GOOD, law: "UK", form: "table" },
    { ...GOOD, address: "file:///etc/list.xml", mirror: true },
    { ...GOOD, signersFile: "none.pem" },
    { ...GOOD, signersFile: "missing.pem", copyFile: "missing.xml" },
  ])
  const { sources, faults } = readListsFile(path)
  expect(sources).toEqual([])
  expect(faults.map((fault) => fault.replace(`${path}, list number `, ""))).toEqual([
    "1: law must be EU or CH.",
    "1: form must be list-of-lists or list.",
    "2: mirror is not a setting of a list.",
    "2: address must be an address with https or http.",
    "3: none.pem holds no certificate.",
    expect.stringMatching(/^4: ENOENT.*missing.pem/),
    expect.stringMatching(/^4: ENOENT.*missing.xml/),
  ])
  for (const wrong of ["no JSON", {}, [1]]) expect(readListsFile(fileOf(wrong)).faults).toHaveLength(1)
})
