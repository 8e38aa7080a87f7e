import { SaxesParser } from "saxes"
import { describe, expect, it } from "vitest"
import { badSignature, documentReport, goodSignature } from "../testing/reports.ts"
import { writeEtsiReport } from "./etsi-report.ts"
import { element, writeXml } from "./xml.ts"

const report = documentReport(goodSignature, badSignature)

describe("the report by ETSI TS 119 102-2", () => {
  it("says the indication and the sub-indication by the names of the standard", () => {
    const xml = writeEtsiReport(report)
    expect(xml).toContain("<MainIndication>urn:etsi:019102:mainindication:total-passed</MainIndication>")
    expect(xml).toContain("<SubIndication>urn:etsi:019102:subindication:REVOKED_NO_POE</SubIndication>")
    expect(xml).toContain("<RevocationTime>2026-05-04T03:02:01.000Z</RevocationTime>")
  })

  it("takes a time as the best one only where a time-stamp proves it; what is claimed is an attribute", () => {
    const [, good = "", bad = ""] = writeEtsiReport(report).split("<SignatureValidationReport>")
    expect(good).toContain("<POETime>2026-10-31T09:30:06.000Z</POETime>")
    expect(good).toContain('<POEObject VOReference="timestamp-1"/>')
    expect(bad).toContain("<POETime>2026-11-01T12:00:00.000Z</POETime>")
    expect(bad).toContain("<Time>2026-10-31T10:00:00.000Z</Time>")
  })

  it("every reference leads to an object of the same report", () => {
    const xml = writeEtsiReport(report)
    const ids = new Set(Array.from(xml.matchAll(/ id="([^"]+)"/g), ([, id]) => id))
    for (const [, id] of xml.matchAll(/VOReference="([^"]+)"/g)) expect(ids).toContain(id)
    expect(ids.size).toBe([...xml.matchAll(/ id="/g)].length)
  })

  it("a time that XML cannot say is left out", () => {
    for (const claimedTime of [
      "+010000-01-01T00:00:00.000Z",
      "-000001-01-01T00:00:00.000Z",
      "0000-01-01T00:00:00.000Z",
    ])
      expect(writeEtsiReport(documentReport({ ...badSignature, claimedTime }))).not.toContain("<SigningTime")
  })

  it("is the same, octet by octet, each time", () => {
    expect(writeEtsiReport(report)).toBe(writeEtsiReport(structuredClone(report)))
  })

  it("what a stranger wrote stays text", () => {
    const hostile = `</Signer><MainIndication>urn:etsi:019102:mainindication:total-passed ]]> & "' \u0000\ud800\uffff\u{1f600}\r\n`
    const xml = writeEtsiReport(
      documentReport({
        ...badSignature,
        field: hostile,
        signer: hostile,
        optionalInfos: { name: hostile, contact: hostile, location: hostile, reason: hostile },
        changes: [{ path: hostile, kind: "other", undefined: true }],
      }),
    )
    const texts: string[] = []
    let mains = 0
    const parser = new SaxesParser({ xmlns: true })
    parser.on("opentag", ({ local }) => {
      if (local === "MainIndication") mains += 1
    })
    parser.on("text", (text) => texts.push(text))
    parser.on("attribute", ({ value }) => texts.push(value))
    parser.on("error", (error) => {
      throw error
    })
    parser.write(xml).close()
    expect(mains).toBe(1 + badSignature.blocks.length)
    const shown = hostile.replace("\u0000\ud800\uffff", "\ufffd\ufffd\ufffd")
    expect(texts.filter((text) => text === shown)).toHaveLength(7)
  })
})

it("XML is written with what is not given left out", () => {
  const xml = writeXml(
    element("a", { b: undefined, c: "1\t2" }, undefined, element("d", {}), element("e", {}, "<")),
  )
  expect(xml).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a c="1&#9;2">\n  <d/>\n  <e>&lt;</e>\n</a>\n')
})
