import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newRoot } from "../testing/keys.ts"
import { periodOf, serviceOf } from "../testing/services.ts"
import type { CertificateUse, Qualifier, ServicePeriod } from "../trusted-list/trusted-list.ts"
import type { CertificateFacts } from "./certificate-facts.ts"
import { type Answer, determine } from "./determination.ts"

const AFTER = Date.parse("2024-06-01T00:00:00Z")
const BEFORE = Date.parse("2015-06-01T00:00:00Z")

let authority: Holder

beforeAll(async () => {
  authority = await newRoot({ name: "Authority" })
})

function factsOf(order: Partial<CertificateFacts>): CertificateFacts {
  return {
    issuedAt: Date.parse("2023-01-01T00:00:00Z"),
    isCompliant: false,
    isInDevice: false,
    types: [],
    countries: undefined,
    policies: [],
    keyUsage: [],
    extendedKeyUsage: [],
    hasSubjectAttribute: () => false,
    ...order,
  }
}

function ask(facts: Partial<CertificateFacts>, periods: readonly ServicePeriod[], at = AFTER) {
  const states = periods.map((period) => ({ service: serviceOf(authority, [period]), period }))
  return determine({ law: "EU", facts: factsOf(facts), states, at })
}

// ETSI TS 119 615, tables 1, 2 and 3 (PRO-4.4.4-15, -23 and -31). A row: the types that the certificate names, and what follows
// with no qualifier, NotQualified, QCStatement, the one for the use, and the last two together. "-": no type at all.
type Row = readonly [types: string, without: string]
const TABLES: Readonly<
  Record<CertificateUse, { readonly compliant: readonly Row[]; readonly other: readonly Row[] }>
> = {
  esign: {
    compliant: [
      ["-", "yes no yes yes yes"],
      ["esign", "yes no yes yes yes"],
      ["eseal", "no no no yes yes"],
      ["web", "no no no yes yes"],
      ["esign eseal", "unknown no unknown yes yes"],
      ["esign web", "unknown no unknown yes yes"],
      ["eseal web", "no no no yes yes"],
      ["esign eseal web", "unknown no unknown yes yes"],
    ],
    other: [
      ["-", "no no unknown no yes"],
      ["esign", "no no yes no yes"],
      ["eseal", "no no no no yes"],
      ["web", "no no no no yes"],
      ["esign eseal", "no no unknown no yes"],
      ["esign web", "no no unknown no yes"],
      ["eseal web", "no no no no yes"],
      ["esign eseal web", "no no unknown no yes"],
    ],
  },
  eseal: {
    compliant: [
      ["-", "no no no yes yes"],
      ["esign", "no no no yes yes"],
      ["eseal", "yes no yes yes yes"],
      ["web", "no no no yes yes"],
      ["esign eseal", "unknown no unknown yes yes"],
      ["esign web", "no no no yes yes"],
      ["eseal web", "unknown no unknown yes yes"],
      ["esign eseal web", "unknown no unknown yes yes"],
    ],
    other: [
      ["-", "no no unknown no yes"],
      ["esign", "no no no no yes"],
      ["eseal", "no no yes no yes"],
      ["web", "no no no no yes"],
      ["esign eseal", "no no unknown no yes"],
      ["esign web", "no no no no yes"],
      ["eseal web", "no no unknown no yes"],
      ["esign eseal web", "no no unknown no yes"],
    ],
  },
  web: {
    compliant: [
      ["-", "no no no yes yes"],
      ["esign", "no no no yes yes"],
      ["eseal", "no no no yes yes"],
      ["web", "yes no yes yes yes"],
      ["esign eseal", "no no no yes yes"],
      ["esign web", "unknown no unknown yes yes"],
      ["eseal web", "unknown no unknown yes yes"],
      ["esign eseal web", "unknown no unknown yes yes"],
    ],
    other: [
      ["-", "no no unknown no yes"],
      ["esign", "no no no no yes"],
      ["eseal", "no no no no yes"],
      ["web", "no no yes no yes"],
      ["esign eseal", "no no no no yes"],
      ["esign web", "no no unknown no yes"],
      ["eseal web", "no no unknown no yes"],
      ["esign eseal web", "no no unknown no yes"],
    ],
  },
}

const OWN = { esign: "QCForESig", eseal: "QCForESeal", web: "QCForWSA" } as const

function* cells() {
  for (const use of ["esign", "eseal", "web"] as const)
    for (const [isCompliant, rows] of [
      [true, TABLES[use].compliant],
      [false, TABLES[use].other],
    ] as const)
      for (const [types, answers] of rows) {
        const columns: readonly (readonly Qualifier[])[] = [
          [],
          ["NotQualified"],
          ["QCStatement"],
          [OWN[use]],
          ["QCStatement", OWN[use]],
        ]
        for (const [at, answer] of answers.split(" ").entries())
          yield { use, isCompliant, types, qualifiers: columns[at] ?? [], answer }
      }
}

describe("tables 1 to 3 of TS 119 615", () => {
  it.each([...cells()])(
    "for $use, compliant $isCompliant, types $types, qualifiers $qualifiers: $answer",
    ({ use, isCompliant, types, qualifiers, answer }) => {
      const named = types === "-" ? [] : (types.split(" ") as CertificateUse[])
      const found = ask({ isCompliant, types: named }, [periodOf({ uses: [use], qualifiers })])
      expect(found.uses[use]).toBe(answer)
      for (const other of ["esign", "eseal", "web"] as const)
        if (other !== use) expect(found.uses[other]).toBe("no")
    },
  )
})

const QUALIFIED = { isCompliant: true, types: ["esign"] } as const

describe("beside the tables", () => {
  it("no service on the path gives nothing (PRO-4.4.4-05)", () => {
    expect(ask(QUALIFIED, [])).toMatchObject({ uses: { esign: "no" }, why: ["no-service"] })
  })

  it("a service for seals gives a certificate for signatures nothing (PRO-4.4.4-10)", () => {
    expect(ask(QUALIFIED, [periodOf({ uses: ["eseal"] })])).toMatchObject({
      uses: { esign: "no", eseal: "no" },
      why: ["not-for-this-use"],
    })
  })

  it("a service that was withdrawn gives nothing (PRO-4.4.4-10)", () => {
    expect(ask(QUALIFIED, [periodOf({ status: "withdrawn" })])).toMatchObject({ why: ["not-granted"] })
  })

  it("a status of the Directive gives nothing after it (PRO-4.4.4-10A)", () => {
    expect(ask(QUALIFIED, [periodOf({ status: "undersupervision" })])).toMatchObject({ why: ["not-granted"] })
  })

  it("two services with two statuses say nothing (PRO-4.4.4-09)", () => {
    const found = ask(QUALIFIED, [periodOf(), periodOf({ status: "withdrawn" })])
    expect(found).toMatchObject({ uses: { esign: "unknown" }, why: ["services-differ"] })
  })

  it.each(["QCForESeal", "QCForWSA", "QCForLegalPerson"] as const)(
    "%s on a service for signatures says nothing (PRO-4.4.4-12)",
    (qualifier) => {
      const found = ask(QUALIFIED, [periodOf({ uses: ["esign"], qualifiers: [qualifier] })])
      expect(found).toMatchObject({ uses: { esign: "unknown" }, why: ["list-inconsistent"] })
    },
  )

  it("NotQualified and QCStatement together say nothing (PRO-4.4.4-12)", () => {
    const found = ask(QUALIFIED, [periodOf({ uses: ["esign"], qualifiers: ["NotQualified", "QCStatement"] })])
    expect(found).toMatchObject({ uses: { esign: "unknown" }, why: ["list-inconsistent"] })
  })

  it("two uses at once give none (table 4)", () => {
    const found = ask(QUALIFIED, [
      periodOf({ uses: ["esign"] }),
      periodOf({ uses: ["eseal"], qualifiers: ["QCForESeal"] }),
    ])
    expect(found).toMatchObject({ uses: { esign: "no", eseal: "no" }, why: ["two-uses"] })
  })

  it("a critical extension that we do not know says nothing (TS 119 612, 5.5.9)", () => {
    const found = ask(QUALIFIED, [periodOf({ isUnderstood: false })])
    expect(found).toMatchObject({ uses: { esign: "unknown" }, why: ["list-not-understood"] })
  })

  it("criteria that we do not know say nothing, whatever their qualifier", () => {
    const qualifications = [
      { qualifiers: ["NotQualified"], criteria: { kind: "unknown" }, isUnderstood: true },
    ] as const
    const found = ask(QUALIFIED, [periodOf({ qualifications })])
    expect(found).toMatchObject({ uses: { esign: "unknown" }, why: ["list-not-understood"] })
  })

  it("a critical qualifier that we do not know says nothing, if it is for this certificate (PRO-4.5.4-04 b)", () => {
    const criteria = { kind: "policies", policies: ["1.2.3"] } as const
    const periods = [periodOf({ qualifications: [{ qualifiers: [], criteria, isUnderstood: false }] })]
    expect(ask({ ...QUALIFIED, policies: ["1.2.3"] }, periods).why).toEqual(["list-not-understood"])
    expect(ask({ ...QUALIFIED, isInDevice: true }, periods)).toMatchObject({
      uses: { esign: "yes" },
      why: [],
    })
  })
})

// Table 5, PRO-4.4.4-33: what was issued or signed before 1 July 2016.
const OF_OLD = { issuedAt: Date.parse("2014-01-01T00:00:00Z") } as const
const SUPERVISED = periodOf({ status: "undersupervision", from: "2010-01-01T00:00:00.000Z", uses: [] })

describe("under Directive 1999/93/EC (PRO-4.4.4-33, table 5)", () => {
  it.each([
    ["QcCompliance", { isCompliant: true }, SUPERVISED, "yes"],
    ["the policy QCP", { policies: ["0.4.0.1456.1.2"] }, SUPERVISED, "yes"],
    ["the policy QCP+", { policies: ["0.4.0.1456.1.1"] }, SUPERVISED, "yes"],
    ["no mark at all", {}, SUPERVISED, "no"],
    [
      "no mark, and QCStatement",
      {},
      { ...periodOf({ qualifiers: ["QCStatement"] }), status: "accredited" },
      "yes",
    ],
    [
      "QcCompliance, and NotQualified",
      { isCompliant: true },
      { ...SUPERVISED, qualifications: periodOf({ qualifiers: ["NotQualified"] }).qualifications },
      "no",
    ],
    [
      "QcCompliance under an accredited service",
      { isCompliant: true },
      { ...SUPERVISED, status: "accredited" },
      "yes",
    ],
    [
      "QcCompliance under one in cessation",
      { isCompliant: true },
      { ...SUPERVISED, status: "supervisionincessation" },
      "yes",
    ],
    [
      "QcCompliance under one that ceased",
      { isCompliant: true },
      { ...SUPERVISED, status: "supervisionceased" },
      "no",
    ],
    [
      "QcCompliance under one that was revoked",
      { isCompliant: true },
      { ...SUPERVISED, status: "accreditationrevoked" },
      "no",
    ],
    [
      "QcCompliance, and QCForESeal, which did not exist",
      { isCompliant: true },
      { ...periodOf({ qualifiers: ["QCForESeal"] }), status: "accredited" },
      "unknown",
    ],
  ] as const)("%s", (_, facts, period, answer) => {
    expect(ask({ ...OF_OLD, ...facts }, [period], BEFORE).uses.esign).toBe(answer)
  })

  it.each([
    ["granted for signatures", periodOf(), "yes"],
    ["granted for seals alone", periodOf({ uses: ["eseal"] }), "no"],
    ["withdrawn", periodOf({ status: "withdrawn" }), "no"],
  ] as const)("an old certificate that signs after it, under a service that is %s", (_, period, answer) => {
    expect(ask({ ...OF_OLD, isCompliant: true }, [period], AFTER).uses.esign).toBe(answer)
  })

  it("an old certificate that signs after it may still claim by the policy QCP alone", () => {
    expect(ask({ ...OF_OLD, policies: ["0.4.0.1456.1.2"] }, [periodOf()], AFTER).uses.esign).toBe("yes")
    expect(ask({ policies: ["0.4.0.1456.1.2"] }, [periodOf()], AFTER).uses.esign).toBe("no")
  })
})

describe("the device (TS 119 615, 4.5)", () => {
  const YES = { ...QUALIFIED, isInDevice: true }
  it.each<readonly [string, Partial<CertificateFacts>, readonly Qualifier[], Answer]>([
    ["by the certificate", YES, [], "yes"],
    ["not by the certificate", QUALIFIED, [], "no"],
    ["by the list", QUALIFIED, ["QCWithQSCD"], "yes"],
    ["by the list, where somebody keeps the key for the signer", QUALIFIED, ["QCQSCDManagedOnBehalf"], "yes"],
    ["against the certificate, by the list", YES, ["QCNoQSCD"], "no"],
    ["as in the certificate: yes", YES, ["QCQSCDStatusAsInCert"], "yes"],
    ["as in the certificate: no", QUALIFIED, ["QCQSCDStatusAsInCert"], "no"],
    ["both at once", YES, ["QCWithQSCD", "QCNoQSCD"], "unknown"],
    ["kept for the signer, and none", YES, ["QCQSCDManagedOnBehalf", "QCNoQSCD"], "unknown"],
    ["as in the certificate, and by the list", YES, ["QCQSCDStatusAsInCert", "QCWithQSCD"], "unknown"],
    ["a word of the Directive alone", YES, ["QCWithSSCD"], "unknown"],
    ["the other word of the Directive alone", YES, ["QCNoSSCD"], "unknown"],
    ["a word of the Directive beside that of the Regulation", QUALIFIED, ["QCWithSSCD", "QCWithQSCD"], "yes"],
  ])("table 7: %s", (_, facts, qualifiers, answer) => {
    expect(ask(facts, [periodOf({ qualifiers })]).isInDevice).toBe(answer)
  })

  it.each<readonly [string, Partial<CertificateFacts>, readonly Qualifier[], Answer]>([
    ["by the statement", { isCompliant: true, isInDevice: true }, [], "yes"],
    ["by the policy QCP+", { policies: ["0.4.0.1456.1.1"] }, [], "yes"],
    ["not by the policy QCP", { policies: ["0.4.0.1456.1.2"] }, [], "no"],
    ["by the list", { isCompliant: true }, ["QCWithSSCD"], "yes"],
    ["against the certificate, by the list", { isCompliant: true, isInDevice: true }, ["QCNoSSCD"], "no"],
    ["both at once", { isCompliant: true }, ["QCWithSSCD", "QCNoSSCD"], "unknown"],
    [
      "as in the certificate, and by the list",
      { isCompliant: true },
      ["QCSSCDStatusAsInCert", "QCWithSSCD"],
      "unknown",
    ],
  ])("table 6, before the Regulation: %s", (_, facts, qualifiers, answer) => {
    const period = { ...periodOf({ qualifiers }), status: "accredited", from: "2010-01-01T00:00:00.000Z" }
    expect(ask({ ...OF_OLD, ...facts }, [period], BEFORE).isInDevice).toBe(answer)
  })
})
