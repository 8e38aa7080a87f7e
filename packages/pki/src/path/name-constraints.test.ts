import { describe, expect, it } from "vitest"
import { writeName } from "../certificate/certificate-writer.ts"
import { EXTENSION } from "../certificate/extensions.ts"
import type { GeneralName } from "../certificate/general-name.ts"
import { implicit, octetString, oid, sequence, setOf, utf8String } from "../der/der-writer.ts"
import { newHolder, newRoot } from "../testing/small-pki.ts"
import { checkNames } from "./name-constraints.ts"

const root = await newRoot()
const NUMBERS = {
  rfc822Name: 1,
  dNSName: 2,
  uniformResourceIdentifier: 6,
  iPAddress: 7,
  registeredID: 8,
} as const
type Form = keyof typeof NUMBERS

async function named(form: Form, content: Uint8Array | string, subject = sequence()) {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content
  const value = sequence(implicit(NUMBERS[form], octetString(bytes)))
  const otherExtensions = [{ id: EXTENSION.subjectAltName, critical: true, value }]
  return (await newHolder(root, "ecdsa-sha256", { subject, otherExtensions })).certificate
}

const text = (form: "rfc822Name" | "dNSName" | "uniformResourceIdentifier", of: string): GeneralName => ({
  form,
  text: of,
})

// RFC 5280, 4.2.1.10, with its own examples first; the last column says whether the name is in the tree.
const TEXTS = [
  ["dNSName", "host.example.com", "www.host.example.com", true],
  ["dNSName", "host.example.com", "host1.example.com", false],
  ["dNSName", "host.example.com", "HOST.example.COM", true],
  ["dNSName", "host.example.com", "host.example.com.", true],
  ["dNSName", "host.example.com.", "www.host.example.com", true],
  ["dNSName", ".example.com.", "a.example.com.", true],
  ["dNSName", "host.example.com", "ahost.example.com", false],
  ["dNSName", ".example.com", "a.example.com", true],
  ["dNSName", ".example.com", "example.com", false],
  ["dNSName", "", "anything.at.all", true],
  ["rfc822Name", "root@example.com", "root@example.com", true],
  ["rfc822Name", "root@example.com", "root@EXAMPLE.com", true],
  ["rfc822Name", "root@example.com", "Root@example.com", false],
  ["rfc822Name", "example.com", "anyone@example.com", true],
  ["rfc822Name", "example.com", "anyone@a.example.com", false],
  ["rfc822Name", ".example.com", "anyone@a.example.com", true],
  ["rfc822Name", ".example.com", "anyone@example.com", false],
  ["rfc822Name", "example.com.", "anyone@example.com", true],
  ["rfc822Name", "root@example.com.", "root@example.com", true],
  ["rfc822Name", "example.com", '"a@evil"@example.com', true],
  ["uniformResourceIdentifier", "host.example.com", "https://host.example.com/path", true],
  ["uniformResourceIdentifier", "host.example.com", "https://user@HOST.example.com:8443?q", true],
  ["uniformResourceIdentifier", "host.example.com", "https://a.host.example.com/", false],
  ["uniformResourceIdentifier", "host.example.com.", "HTTPS://host.example.com./path", true],
  ["uniformResourceIdentifier", ".example.com", "ldap://a.b.example.com", true],
  ["uniformResourceIdentifier", ".example.com", "https://example.com", false],
  ["uniformResourceIdentifier", ".example.com", "https://evil.com/.example.com", false],
] as const

describe("checkNames", () => {
  it.each(TEXTS)("%s %j: %j is in it: %s", async (form, base, name, inside) => {
    const certificate = await named(form, name)
    const tree = text(form, base)
    expect(checkNames(certificate, [{ permitted: [tree], excluded: [] }])).toBe(
      inside ? "permitted" : "name-not-permitted",
    )
    expect(checkNames(certificate, [{ permitted: [], excluded: [tree] }])).toBe(
      inside ? "name-excluded" : "permitted",
    )
  })

  it.each([
    ["uniformResourceIdentifier", "urn:oid:1.2.3", "host.example.com"],
    ["uniformResourceIdentifier", "https://192.0.2.1/", "host.example.com"],
    ["uniformResourceIdentifier", "https://[2001:db8::1]/", "host.example.com"],
    ["rfc822Name", "nobody", "example.com"],
    ["rfc822Name", "a@b.example.com..", "example.com"],
    ["dNSName", "a.example.com..", "example.com"],
    ["dNSName", "a..example.com", "example.com"],
    ["dNSName", "a.example.com", "example.com.."],
    ["dNSName", "a.example.com", "."],
  ] as const)("%s %j cannot be placed, so it is refused either way", async (form, name, base) => {
    const certificate = await named(form, name)
    const tree = text(form, base)
    expect(checkNames(certificate, [{ permitted: [tree], excluded: [] }])).toBe("name-not-permitted")
    expect(checkNames(certificate, [{ permitted: [], excluded: [tree] }])).toBe("name-excluded")
  })

  it("cannot place a name that is longer than a name can be", async () => {
    const certificate = await named("dNSName", `${"a.".repeat(150)}example.com`)
    const excluded = [text("dNSName", "other.example")]
    expect(checkNames(certificate, [{ permitted: [], excluded }])).toBe("name-excluded")
  })

  it("compares addresses under the mask, and families not at all", async () => {
    const tree = (...octets: number[]): GeneralName => ({
      form: "iPAddress",
      octets: Uint8Array.from(octets),
    })
    const certificate = await named("iPAddress", Uint8Array.of(10, 9, 8, 7))
    const judge = (base: GeneralName) => checkNames(certificate, [{ permitted: [base], excluded: [] }])
    expect(judge(tree(10, 9, 0, 0, 255, 255, 0, 0))).toBe("permitted")
    expect(judge(tree(10, 8, 0, 0, 255, 255, 0, 0))).toBe("name-not-permitted")
    expect(judge(tree(...Array(32).fill(0)))).toBe("name-not-permitted")
    expect(judge(tree(10, 9, 8, 7))).toBe("name-not-permitted")
  })

  it("refuses a constrained form that it cannot compare, and passes over one that is not there", async () => {
    const certificate = await named("registeredID", Uint8Array.of(0x2a, 3))
    const id: GeneralName = { form: "registeredID", id: "1.2.3" }
    expect(checkNames(certificate, [{ permitted: [id], excluded: [] }])).toBe("name-not-permitted")
    expect(checkNames(certificate, [{ permitted: [], excluded: [id] }])).toBe("name-excluded")
    expect(checkNames(certificate, [{ permitted: [text("dNSName", "a.b")], excluded: [] }])).toBe("permitted")
  })

  it("wants every set of constraints to be pleased, not just one", async () => {
    const certificate = await named("dNSName", "a.b.example")
    const trees = ["b.example", "a.b.example"].map((of) => ({
      permitted: [text("dNSName", of)],
      excluded: [],
    }))
    expect(checkNames(certificate, trees)).toBe("permitted")
    const other = { permitted: [text("dNSName", "c.example")], excluded: [] }
    expect(checkNames(certificate, [...trees, other])).toBe("name-not-permitted")
  })

  it("looks at e-mail addresses in the subject, and at the subject itself", async () => {
    const subject = sequence(
      setOf(sequence(oid("2.5.4.10"), utf8String("Paraph"))),
      setOf(sequence(oid("1.2.840.113549.1.9.1"), utf8String("a@evil.example"))),
    )
    const certificate = await named("dNSName", "fine.example", subject)
    const mail = text("rfc822Name", "evil.example")
    expect(checkNames(certificate, [{ permitted: [], excluded: [mail] }])).toBe("name-excluded")
    const within = sequence(setOf(sequence(oid("2.5.4.10"), utf8String("PARAPH"))))
    const tree = (name: Uint8Array): GeneralName => ({ form: "directoryName", name })
    expect(checkNames(certificate, [{ permitted: [tree(within)], excluded: [] }])).toBe("permitted")
    const elsewhere = writeName({ commonName: "Paraph" })
    expect(checkNames(certificate, [{ permitted: [tree(elsewhere)], excluded: [] }])).toBe(
      "name-not-permitted",
    )
  })

  it("does not begin with what would take too long", async () => {
    const certificate = await named("dNSName", "a.example")
    const permitted = Array.from({ length: 100_001 }, (_, index) => text("dNSName", `${index}.example`))
    expect(() => checkNames(certificate, [{ permitted, excluded: [] }])).toThrow("too many")
  })
})
