import { describe, expect, it } from "vitest"
import { integer, oid, printableString, sequence, utf8String } from "../der/der-writer.ts"
import { ifReadable } from "../der/optional.ts"
import { openssl } from "../testing/openssl.ts"
import { newHolder, newRoot } from "../testing/small-pki.ts"
import { EXTENSION, type KeyUsage } from "./extensions.ts"
import { type QcStatements, qualifiedUnder, readStatements, writeQcStatements } from "./qc-statements.ts"

const FULL: QcStatements = { isQualified: true, isInDevice: true, types: ["esign"], countries: undefined }
const root = await newRoot()

async function certificateOf(statements: QcStatements | null, keyUsage: readonly KeyUsage[]) {
  const otherExtensions = statements === null ? [] : [writeQcStatements(statements)]
  return (await newHolder(root, "ecdsa-sha256", { keyUsage, otherExtensions })).certificate
}

const COMMITS = ["contentCommitment"] as const

describe("a certificate is for qualified signatures where it says all of it", () => {
  it.each<[string, QcStatements | null, readonly KeyUsage[], string | null]>([
    ["the Union's law", FULL, COMMITS, "EIDAS"],
    ["Swiss law", { ...FULL, countries: ["CH"] }, COMMITS, "ZERTES"],
    ["Swiss law among others", { ...FULL, countries: ["LI", "CH"] }, COMMITS, "ZERTES"],
    ["also for seals", { ...FULL, types: ["esign", "eseal"] }, COMMITS, "EIDAS"],
    ["a key usage of two", FULL, ["digitalSignature", "contentCommitment"], "EIDAS"],
    ["no statements", null, COMMITS, null],
    ["no compliance", { ...FULL, isQualified: false }, COMMITS, null],
    ["no device", { ...FULL, isInDevice: false }, COMMITS, null],
    ["no type", { ...FULL, types: [] }, COMMITS, null],
    ["seals alone", { ...FULL, types: ["eseal"] }, COMMITS, null],
    ["web sites", { ...FULL, types: ["web"] }, COMMITS, null],
    ["the law of another country", { ...FULL, countries: ["ZA"] }, COMMITS, null],
    ["a key that commits to nothing", FULL, ["digitalSignature"], null],
  ])("%s", async (_, statements, keyUsage, law) => {
    expect(qualifiedUnder(await certificateOf(statements, keyUsage))).toBe(law)
  })
})

const one = (...statements: readonly Uint8Array[]) => [
  { id: EXTENSION.qcStatements, critical: false, value: sequence(...statements) },
]
const COMPLIANCE = oid("0.4.0.1862.1.1")
const LEGISLATION = oid("0.4.0.1862.1.7")

describe("statements", () => {
  it("come back as they were written, and those that we do not know are passed over", () => {
    const written = { ...FULL, types: ["esign", "web"], countries: ["CH"] } as const
    expect(readStatements([writeQcStatements(written)])).toEqual(written)
    const pds = sequence(oid("0.4.0.1862.1.5"), sequence(sequence(utf8String("https://a.example"))))
    expect(readStatements(one(sequence(COMPLIANCE), pds))).toMatchObject({ isQualified: true })
    expect(readStatements([])).toBeUndefined()
  })

  it.each<[string, readonly Uint8Array[]]>([
    ["one that stands twice", [sequence(COMPLIANCE), sequence(COMPLIANCE)]],
    ["a compliance with a value", [sequence(COMPLIANCE, integer(1))]],
    ["three parts", [sequence(oid("1.2.3"), integer(1), integer(2))]],
    ["no name", [sequence()]],
    ["a law of no country", [sequence(LEGISLATION, sequence())]],
    ["a law without its list", [sequence(LEGISLATION)]],
    ["a country in small letters", [sequence(LEGISLATION, sequence(printableString("ch")))]],
    ["a country as another string", [sequence(LEGISLATION, sequence(utf8String("CH")))]],
    ["a type that is no list", [sequence(oid("0.4.0.1862.1.6"), oid("0.4.0.1862.1.6.1"))]],
  ])("are refused with %s, and then say nothing", (_, statements) => {
    const extensions = one(...statements)
    expect(() => readStatements(extensions)).toThrow(expect.objectContaining({ name: "DerError" }))
    expect(ifReadable(() => readStatements(extensions))).toBeUndefined()
    expect(qualifiedUnder({ extensions })).toBeNull()
  })

  it("are what OpenSSL reads too", async () => {
    const judge = await openssl()
    const certificate = await certificateOf({ ...FULL, countries: ["CH"] }, COMMITS)
    const file = await judge.certificate("qualified.pem", certificate.der)
    const { text } = await judge.run("x509", "-in", file, "-noout", "-text")
    expect(text).toContain("qcStatements")
    const offset = await judge.file("statements.der", writeQcStatements({ ...FULL, countries: ["CH"] }).value)
    const parsed = await judge.run("asn1parse", "-inform", "DER", "-in", offset)
    await judge.remove()
    for (const id of ["1", "4", "6", "6.1", "7"])
      expect(parsed.text).toMatch(new RegExp(`:0\\.4\\.0\\.1862\\.1\\.${id}\n`))
    expect(parsed.text).toMatch(/PRINTABLESTRING\s*:CH/)
  })
})
