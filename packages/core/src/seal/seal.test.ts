import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { certifySeal, isDue } from "./certify.ts"
import { chosen } from "./choose.ts"
import { demoHolder, readHolder, readSealName, sealerName } from "./holder.ts"
import { batchState, certificateOf, type Seal, type SealCertificate, stateOf } from "./model.ts"
import type { CertifyingParts } from "./ports.ts"

const DAY_MS = 86_400_000
const NOW = new Date("2026-11-16T09:00:00Z")
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

const generation = (n: number, from: number, to: number): SealCertificate => ({
  id: `certificate-${n}`,
  generation: n,
  keyLabel: `label-${n}`,
  issued: { certificate: new Uint8Array([n]), chain: [], notBefore: inDays(from), notAfter: inDays(to) },
})
const begun = (n: number): SealCertificate => ({ ...generation(n, 0, 1), issued: null })

const seal = (more: Partial<Seal> = {}): Seal => ({
  id: "seal",
  businessId: "acme",
  kind: "production",
  name: "Main",
  holder: { organization: "Acme AG", identifier: null, country: "CH" },
  issuer: "service",
  key: "P-256",
  imageId: null,
  certificates: [],
  createdAt: NOW,
  endedAt: null,
  ...more,
})

describe("which certificate a seal uses", () => {
  it.each([
    ["none", [], null],
    ["one that is asked for", [begun(1)], null],
    ["the only one", [generation(1, -1, 364)], 1],
    ["the newest of two that are valid", [generation(1, -340, 20), generation(2, -1, 364)], 2],
    ["the old one while the new one is not valid yet", [generation(1, -340, 20), generation(2, 5, 364)], 1],
    ["the old one while the next is asked for", [generation(1, -340, 20), begun(2)], 1],
    ["none that has ended", [generation(1, -400, -35)], null],
    ["none at the moment of its end", [generation(1, -365, 0)], null],
  ] as const)("%s", (_, certificates, expected) => {
    expect(certificateOf(seal({ certificates }), NOW)?.generation ?? null).toBe(expected)
  })

  it("an outside one is active once it is installed, one of the service's own at once, and no ended one ever", () => {
    const installed = [generation(1, -1, 364)]
    expect(stateOf(seal(), NOW)).toBe("active")
    expect(stateOf(seal({ issuer: "outside", certificates: [begun(1)] }), NOW)).toBe("requested")
    expect(stateOf(seal({ issuer: "outside", certificates: installed }), NOW)).toBe("active")
    expect(stateOf(seal({ issuer: "outside", certificates: installed }), inDays(365))).toBe("requested")
    expect(stateOf(seal({ certificates: installed, endedAt: NOW }), NOW)).toBe("ended")
  })

  it("the next one is due 30 days before the end, and after it, and never before there was a first", () => {
    const due = (certificates: readonly SealCertificate[]) => isDue(seal({ certificates }), 30, NOW)
    expect(due([])).toBe(false)
    expect(due([generation(1, -300, 31)])).toBe(false)
    expect(due([generation(1, -300, 30)])).toBe(true)
    expect(due([generation(1, -400, -1)])).toBe(true)
    expect(due([generation(1, -300, 10), generation(2, -1, 364)])).toBe(false)
  })
})

describe("[SEAL-02] which seal an order gets", () => {
  const main = seal({ id: "1", name: "Main" })
  const other = seal({ id: "2", name: "Rechnungen Zürich" })
  const asked = seal({ id: "3", name: "Bought", issuer: "outside" })

  it("the first one, or the one of that name, however it is written", () => {
    expect(chosen([main, other], null, NOW)).toBe(main)
    expect(chosen([main, other], "RECHNUNGEN ZÜRICH ", NOW)).toBe(other)
    expect(chosen([main, other], "Rechnungen Zu\u0308rich", NOW)).toBe(other)
    expect(chosen([asked, other], null, NOW)).toBe(other)
  })

  it("none: then it is refused in words that say whose fault it is", () => {
    const told = (seals: readonly Seal[], name: string | null) => {
      try {
        return chosen(seals, name, NOW).name
      } catch (error) {
        return error instanceof Refusal ? error.code : String(error)
      }
    }
    expect(told([], null)).toBe("feature-not-enabled")
    expect(told([asked], null)).toBe("feature-not-enabled")
    expect(told([main], "Bought")).toBe("constraint-violated")
    expect(told([main, asked], "Bought")).toBe("constraint-violated")
  })
})

describe("the name of a company in a certificate", () => {
  const read = (more: object) => () =>
    readHolder({ organization: "Acme AG", identifier: null, country: null, ...more })

  it.each([
    "NTRCH-CHE-123.456.789",
    "VATBE-0876866142",
    "LEIXG-529900T8BM49AURSDO55",
    "PSDDE-BAFIN-1",
    "CH:UI-99",
  ])("takes the number %s (EN 319 412-1, 5.1.4)", (identifier) => {
    expect(read({ identifier })().identifier).toBe(identifier)
  })

  it.each([
    { identifier: "CHE-123.456.789" },
    { identifier: "NTRch-1" },
    { identifier: "NTRCH-" },
    { identifier: `NTRCH-${"1".repeat(57)}` },
    { country: "ch" },
    { country: "CHE" },
    { organization: " " },
    { organization: "Acme\nAG" },
    { organization: "Acme\u202e AG" },
    { organization: "Acme AG (QES)" },
    { organization: "x".repeat(65) },
  ])("refuses %j", (more) => {
    expect(read(more)).toThrow(Refusal)
  })

  it("of a demo says that it is one, and fits whatever the business is called", () => {
    expect(sealerName("demo", demoHolder("Acme AG"))).toBe("Demo: Acme AG")
    expect(sealerName("production", demoHolder("Acme AG"))).toBe("Acme AG")
    expect(
      sealerName("production", { organization: "Acme\n\u202eAG", identifier: null, country: null }),
    ).toBe("Acme AG")
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (name) => {
        const holder = demoHolder(name)
        expect(readHolder(holder)).toEqual(holder)
      }),
    )
  })

  it("the name of a seal is one line", () => {
    expect(readSealName(" Main ")).toBe("Main")
    for (const name of ["", "  ", "a\nb", "x".repeat(101)]) expect(() => readSealName(name)).toThrow(Refusal)
  })
})

describe("how a seal comes by its certificate", () => {
  const parts = (told: string[]): CertifyingParts => ({
    beginCertificate: async (_, { id, keyLabel }) => {
      told.push(`record ${keyLabel}`)
      return { id, generation: 1, keyLabel, issued: null }
    },
    sealKey: async (kind, label, key) => {
      told.push(`key ${kind} ${label} ${key}`)
      return new Uint8Array([1])
    },
    issueCertificate: async ({ id, subject, keyLabel }) => {
      told.push(`issue ${id} ${keyLabel} ${subject.commonName} ${subject.organization}`)
      return { certificate: new Uint8Array([2]), chain: [new Uint8Array([3])] }
    },
    completeCertificate: async (id) => void told.push(`keep ${id}`),
    validityOf: () => ({ notBefore: NOW, notAfter: inDays(365) }),
    newId: () => "one",
  })

  it("each step is on record before the next begins, under one name", async () => {
    const told: string[] = []
    const made = await certifySeal(parts(told), seal({ kind: "demo" }), NOW)
    expect(told).toEqual([
      "record paraph-seal-one",
      "key demo paraph-seal-one P-256",
      "issue seal one paraph-seal-one Demo: Acme AG Acme AG",
      "keep one",
    ])
    expect(made.issued.chain).toHaveLength(1)
  })

  it("never for one whose certificate somebody else issues", async () => {
    const told: string[] = []
    await expect(certifySeal(parts(told), seal({ issuer: "outside" }), NOW)).rejects.toThrow(Refusal)
    expect(told).toEqual([])
  })
})

it.each([
  [{ waiting: 1, done: 5, failed: 0, cancelled: 0 }, null, "RUNNING"],
  [{ waiting: 0, done: 5, failed: 1, cancelled: 0 }, null, "COMPLETED"],
  [{ waiting: 0, done: 5, failed: 0, cancelled: 1 }, NOW, "CANCELLED"],
  // Cancelled when the last one was sealed already.
  [{ waiting: 0, done: 6, failed: 0, cancelled: 0 }, NOW, "COMPLETED"],
] as const)("a batch with %j is %s %s", (counts, cancelledAt, expected) => {
  expect(batchState({ counts, cancelledAt })).toBe(expected)
})
