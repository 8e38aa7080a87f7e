import { beforeAll, describe, expect, it } from "vitest"
import { type Holder, newRoot } from "../testing/keys.ts"
import {
  CRITERIA,
  extension,
  type ListOrder,
  type PeriodOrder,
  SWISS_ROOT,
  writeList,
} from "../testing/list-writer.ts"
import { readList } from "./read-list.ts"
import type { Law } from "./trusted-list.ts"
import { readXml, XmlError } from "./xml-reader.ts"

const SINCE = new Date("2020-01-01T00:00:00Z")
let authority: Holder

beforeAll(async () => {
  authority = await newRoot({ name: "Authority" })
})

function read(order: Partial<ListOrder>, law: Law = "EU", change = (xml: string) => xml) {
  const all = { territory: "AT", issued: SINCE, nextUpdate: new Date("2020-06-01T00:00:00Z"), ...order }
  return readList(readXml(Buffer.from(change(writeList(all)))), {
    law,
    address: "https://example.org/tl.xml",
  })
}

function readService(
  order: Partial<PeriodOrder> & { readonly history?: readonly PeriodOrder[] },
  law: Law = "EU",
) {
  const service = {
    name: "It",
    type: "CA/QC",
    from: SINCE,
    certificates: [authority.certificate.der],
    ...order,
  }
  return read({ providers: [{ name: "Provider", services: [service] }] }, law).list.services[0]
}

describe("a list", () => {
  it.each([5, 6])("of version %s says what it is", (version) => {
    expect(read({ version, sequenceNumber: 12 }).list).toMatchObject({
      version,
      sequenceNumber: 12,
      form: "list",
      territory: "AT",
      operator: "Supervision of AT",
      issued: "2020-01-01T00:00:00.000Z",
      nextUpdate: "2020-06-01T00:00:00.000Z",
    })
  })

  it("is closed without a next update", () => {
    expect(read({ nextUpdate: null }).list.nextUpdate).toBeNull()
  })

  it("of lists has pointers to lists for machines, and pivots", () => {
    const der = authority.certificate.der
    const pointers = [
      { address: "https://example.org/a.xml", territory: "AT", signers: [der, der] },
      { address: "https://example.org/a.pdf", territory: "AT", mimeType: "application/pdf", signers: [der] },
    ]
    const pivots = [
      "https://example.org/pivot-2.xml",
      "https://example.org/oj.html",
      "https://example.org/pivot-1.xml",
    ]
    const { list } = read({ type: "EUlistofthelists", territory: "EU", pointers, pivots })
    const signer = Buffer.from(der).toString("base64")
    expect(list.form).toBe("list-of-lists")
    expect(list.pointers).toEqual([
      { address: "https://example.org/a.xml", form: "list", territory: "AT", signers: [signer, signer] },
    ])
    expect(list.pivots).toEqual(["https://example.org/pivot-2.xml", "https://example.org/pivot-1.xml"])
  })

  it.each([
    ["another root", (xml: string) => xml.replaceAll("TrustServiceStatusList", "List")],
    [
      "another namespace",
      (xml: string) => xml.replace("http://uri.etsi.org/02231/v2#", "http://uri.etsi.org/02231/v3#"),
    ],
    ["no scheme", (xml: string) => xml.replaceAll("SchemeInformation>", "Scheme>")],
    [
      "two schemes",
      (xml: string) => xml.replace("<SchemeInformation>", "<SchemeInformation/><SchemeInformation>"),
    ],
    ["a version in words", (xml: string) => xml.replace("Identifier>6<", "Identifier>six<")],
    ["a negative number", (xml: string) => xml.replace("SequenceNumber>1<", "SequenceNumber>-1<")],
    ["a day that is none", (xml: string) => xml.replace("2020-01-01T", "2020-13-01T")],
    ["a time without a zone", (xml: string) => xml.replace("00:00:00Z</List", "00:00:00</List")],
    ["a territory of odd letters", (xml: string) => xml.replace("SchemeTerritory>AT", "SchemeTerritory>A T")],
    ["elements where text should be", (xml: string) => xml.replace("Territory>AT", "Territory><b/>AT")],
  ])("is refused: %s", (_, change) => {
    expect(() => read({}, "EU", change)).toThrow(XmlError)
  })

  it("leaves out a service that cannot be read, and counts it", () => {
    const services = ["One", "Two"].map((name) => ({
      name,
      type: "CA/QC",
      from: SINCE,
      certificates: [authority.certificate.der],
    }))
    const found = read({ providers: [{ name: "P", services }] }, "EU", (xml) =>
      xml.replace("<StatusStartingTime>2020", "<StatusStartingTime>MMXX"),
    )
    expect(found.list.services.map(({ name }) => name)).toEqual(["Two"])
    expect(found.unreadableServices).toBe(1)
  })

  it("leaves out a service without a certificate that can be read: nothing could be found by it", () => {
    const services = [
      { name: "One", type: "CA/QC", from: SINCE, certificates: [new Uint8Array([0x30, 0x00])] },
    ]
    expect(read({ providers: [{ name: "P", services }] })).toMatchObject({
      list: { services: [] },
      unreadableServices: 0,
    })
  })
})

describe("a service", () => {
  it("has its past, each period until the next began", () => {
    const history = [
      { type: "CA/QC", status: "undersupervision", from: new Date("2010-01-01T00:00:00Z") },
      { type: "CA/PKC", status: "accredited", from: new Date("2005-01-01T00:00:00Z") },
    ]
    const service = readService({ status: "withdrawn", history })
    expect(
      service?.periods.map(({ type, status, from, until }) => [
        type,
        status,
        from.slice(0, 4),
        until?.slice(0, 4),
      ]),
    ).toEqual([
      ["CA/QC", "withdrawn", "2020", undefined],
      ["CA/QC", "undersupervision", "2010", "2020"],
      ["CA/PKC", "accredited", "2005", "2010"],
    ])
  })

  it("has uses, qualifications, and what else its extensions say", () => {
    const period = readService({
      uses: ["ForeSignatures", "ForeSeals", "ForWebSiteAuthentication", "RootCA-QC"],
      extensions: [
        extension("<ExpiredCertsRevocationInfo>2015-01-01T00:00:00Z</ExpiredCertsRevocationInfo>", false),
        extension(
          '<add:TakenOverBy><add:URI xml:lang="en">https://example.org/</add:URI><add:TSPName><Name xml:lang="en">Heir</Name></add:TSPName><SchemeOperatorName><Name xml:lang="en">S</Name></SchemeOperatorName><SchemeTerritory>AT</SchemeTerritory></add:TakenOverBy>',
        ),
      ],
    })?.periods[0]
    expect(period).toMatchObject({
      uses: ["esign", "eseal", "web"],
      expiredCertificatesSince: "2015-01-01T00:00:00.000Z",
      takenOverBy: "Heir",
      isUnderstood: true,
    })
  })

  it("is not understood with a critical extension that we do not know", () => {
    const unknown = '<x xmlns="urn:x"/>'
    expect(readService({ extensions: [extension(unknown)] })?.periods[0]?.isUnderstood).toBe(false)
    expect(readService({ extensions: [extension(unknown, false)] })?.periods[0]?.isUnderstood).toBe(true)
    expect(readService({ extensions: [extension("")] })?.periods[0]?.isUnderstood).toBe(false)
  })

  it.each([
    ["policies", CRITERIA.policies("1.2.3", "1.2.4"), { kind: "policies", policies: ["1.2.3", "1.2.4"] }],
    [
      "key usage, by the names of today",
      CRITERIA.keyUsage({ nonRepudiation: true, digitalSignature: false, crlSign: false }),
      { kind: "key-usage", bits: { contentCommitment: true, digitalSignature: false, cRLSign: false } },
    ],
    [
      "purposes, as URNs too",
      CRITERIA.purposes("1.3.6.1.5.5.7.3.4"),
      { kind: "extended-key-usage", purposes: ["1.3.6.1.5.5.7.3.4"] },
    ],
    [
      "attributes of the subject",
      CRITERIA.subject("2.5.4.42"),
      { kind: "subject-attributes", types: ["2.5.4.42"] },
    ],
    [
      "a list in a list",
      CRITERIA.list("none", CRITERIA.policies("1.2")),
      { kind: "list", assert: "none", of: [{ kind: "policies", policies: ["1.2"] }] },
    ],
    ["an empty list, which could mean anything", CRITERIA.list("all"), { kind: "unknown" }],
    ["another assertion", CRITERIA.list("most", CRITERIA.policies("1.2")), { kind: "unknown" }],
    [
      "something else",
      '<sie:otherCriteriaList><x xmlns="urn:x"/></sie:otherCriteriaList>',
      { kind: "unknown" },
    ],
  ])("has criteria: %s", (_, xml, criterion) => {
    const qualifications = [{ qualifiers: ["QCWithQSCD"], criteria: CRITERIA.list("all", xml) }]
    expect(readService({ qualifications })?.periods[0]?.qualifications).toEqual([
      {
        qualifiers: ["QCWithQSCD"],
        isUnderstood: true,
        criteria: { kind: "list", assert: "all", of: [criterion] },
      },
    ])
  })

  it("knows its qualifiers, and that it does not know one", () => {
    const criteria = CRITERIA.list("all", CRITERIA.policies("1.2"))
    const qualifications = [{ qualifiers: ["QCForESig", "QCForCats"], criteria }]
    expect(readService({ qualifications })?.periods[0]?.qualifications).toMatchObject([
      { qualifiers: ["QCForESig"], isUnderstood: false },
    ])
  })
})

describe("words of a list", () => {
  it("of Switzerland may have Swiss addresses", () => {
    expect(readService({ root: SWISS_ROOT, uses: ["ForeSignatures"] }, "CH")?.periods[0]).toMatchObject({
      type: "CA/QC",
      status: "granted",
      uses: ["esign"],
    })
    expect(readService({ uses: ["ForeSignatures"] }, "CH")?.periods[0]).toMatchObject({
      type: "CA/QC",
      uses: ["esign"],
    })
  })

  it("of the Union may not", () => {
    expect(readService({ root: SWISS_ROOT, uses: ["ForeSignatures"] }, "EU")?.periods[0]).toMatchObject({
      type: "unknown",
      status: "unknown",
      uses: [],
    })
  })

  it.each([
    "http://uri.etsi.org.example.org/TrstSvc",
    "https://example.org/http://uri.etsi.org/TrstSvc",
    "http://uri.etsi.org/Other",
  ])("may be nobody else's: %s", (root) => {
    for (const law of ["EU", "CH"] as const)
      expect(readService({ root }, law)?.periods[0]?.type).toBe("unknown")
  })
})
