import type { Validation as Model, Report, SignatureReport } from "@paraph/core/validation/model"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import * as v from "./validation.ts"

const signature: SignatureReport = {
  field: "Signature1",
  indication: "TOTAL-PASSED",
  reasons: [{ code: "no-revocation-needed", weight: "note", values: { certificate: "CN=Ada" } }],
  level: "PAdES-BASELINE-LTA",
  signer: "Ada Lovelace",
  time: "2026-11-15T10:00:00.000Z",
  timeProof: "time-stamp",
  quality: "AES",
  legislation: "CH",
  longTermValidation: true,
  undefinedChanges: false,
  visualDifferences: true,
  changes: [
    { path: "/AcroForm/Fields[1]", kind: "signature", undefined: false },
    { path: "/Pages/Kids[0]", kind: "visual", page: 1, undefined: false, picture: 2 },
  ],
  certificate: { subject: "CN=Ada Lovelace", issuer: "CN=Issuer", serialNumber: "1a" },
  optionalInfos: { reason: "I agree" },
}
const say: v.SayReason = ({ code, values }, language) =>
  `${language === "en" ? "" : `(${language}) `}${code} ${values?.certificate ?? ""}`.trim()

const modelOf = (signatures: readonly SignatureReport[], report: Partial<Report> = {}): Model => ({
  id: "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
  businessId: "b1",
  kind: "demo",
  ownerId: "u1",
  asked: v.readAsked({ rejectVisualDifferences: "false" }),
  report: {
    validatedAt: "2026-11-16T10:00:00.000Z",
    indication: "TOTAL-PASSED",
    format: { fileType: "PDF", quality: "PDF/A-2B" },
    signatures,
    ...report,
  },
  createdAt: new Date(0),
  expiresAt: new Date(1),
})

describe("what is asked for", () => {
  it("rejects unless the caller says false", () => {
    expect(v.readAsked({})).toEqual({
      quality: null,
      legislation: null,
      longTermValidation: false,
      rejectVisualDifferences: true,
      rejectUndefinedChanges: true,
    })
    const lenient = { rejectVisualDifferences: "false", rejectUndefinedChanges: "false" } as const
    expect(
      v.readAsked({ ...lenient, quality: "QES", legislation: "CH_EU", longTermValidation: "true" }),
    ).toEqual({
      quality: "QES",
      legislation: "CH_EU",
      longTermValidation: true,
      rejectVisualDifferences: false,
      rejectUndefinedChanges: false,
    })
  })

  it.each([
    [{ quality: "DEMO" }, false],
    [{ quality: "AES_MINIMAL" }, false],
    [{ legislation: "ZERTES" }, false],
    [{ rejectVisualDifference: "false" }, false],
    [{ rejectUndefinedChanges: "no" }, false],
    [{ infos: "signer" }, true],
    [{ infos: ["signer", "format"] }, true],
    [{ infos: ["signer", "everything"] }, false],
    [{ longTermValidation: "true", quality: "SES", legislation: "WORLD" }, true],
  ])("takes %j: %s", (query, is) => {
    expect(Value.Check(v.ValidateQuery, query)).toBe(is)
  })
})

describe("what is answered", () => {
  it("is what the decisions name, and the infos that were asked for", () => {
    const answer = v.writeValidation(modelOf([signature]), { infos: ["signer", "format", "validation"] }, say)
    expect(Value.Errors(v.Validation, answer)).toEqual([])
    expect(Object.keys(answer)).toEqual([
      "id",
      "valid",
      "signatures",
      "validSignatures",
      "quality",
      "legislation",
      "longTermValidation",
      "visualDifferences",
      "undefinedChanges",
      "additionalInfos",
    ])
    expect(answer).toMatchObject({ valid: true, signatures: 1, quality: "AES", legislation: "CH" })
    expect(answer.additionalInfos).toEqual({
      validation: {
        indication: "TOTAL-PASSED",
        subIndication: null,
        details: ["no-revocation-needed CN=Ada"],
      },
      format: { fileType: "PDF", quality: "PDF/A-2B", producer: null },
      signer: [
        {
          field: "Signature1",
          valid: true,
          indication: "TOTAL-PASSED",
          subIndication: null,
          details: [],
          notes: ["no-revocation-needed CN=Ada"],
          signer: "Ada Lovelace",
          time: "2026-11-15T10:00:00.000Z",
          timeProof: "time-stamp",
          level: "PAdES-BASELINE-LTA",
          quality: "AES",
          legislation: "CH",
          longTermValidation: true,
          visualDifferences: true,
          undefinedChanges: false,
          changes: [{ path: "/Pages/Kids[0]", kind: "visual", page: 1, picture: 2, field: null, fill: null }],
          certificate: {
            subject: "CN=Ada Lovelace",
            issuer: "CN=Issuer",
            serialNumber: "1a",
            nameEstablished: null,
          },
          optionalInfos: { name: null, contact: null, location: null, reason: "I agree" },
        },
      ],
    })
    expect(v.writeValidation(modelOf([signature]), { infos: "format" }, say).additionalInfos).toHaveProperty(
      "format",
    )
  })

  it("without a signature has neither quality nor legislation, and no infos unless asked for", () => {
    const model = modelOf([], { indication: "INDETERMINATE", subIndication: "SIGNED_DATA_NOT_FOUND" })
    const answer = v.writeValidation(model, {}, say)
    expect(Value.Check(v.Validation, answer)).toBe(true)
    expect(answer).toMatchObject({ valid: false, signatures: 0, quality: null, additionalInfos: {} })
    expect(v.writeValidationInfo(model, {}, say)).toEqual({
      indication: "INDETERMINATE",
      subIndication: "SIGNED_DATA_NOT_FOUND",
      details: ["The document holds no signature."],
    })
  })

  it("is said in the language that is asked for; what decides apart from what was only noticed", () => {
    const failed: SignatureReport = {
      ...signature,
      indication: "TOTAL-FAILED",
      subIndication: "HASH_FAILURE",
      reasons: [{ code: "document-changed", weight: "fail" }, ...signature.reasons],
    }
    const [signer] = v.writeSigners(modelOf([failed]), { lang: "fr" }, say)
    expect(signer).toMatchObject({
      indication: "TOTAL-FAILED",
      subIndication: "HASH_FAILURE",
      details: ["(fr) document-changed"],
      notes: ["(fr) no-revocation-needed CN=Ada"],
    })
    const query = { infos: ["signer", "validation"], lang: "de" } as const
    expect(Value.Check(v.ValidateQuery, query)).toBe(true)
    const { additionalInfos } = v.writeValidation(
      modelOf([failed]),
      { ...query, infos: [...query.infos] },
      say,
    )
    expect(additionalInfos.signer?.[0]?.details).toEqual(["(de) document-changed"])
    expect(additionalInfos.validation?.details[0]).toBe("(de) document-changed")
    expect(v.writeValidationInfo(modelOf([]), { lang: "it" }, say).details).toEqual([
      "Il documento non contiene alcuna firma.",
    ])
    expect(Value.Check(v.InfoQuery, { lang: "es" })).toBe(false)
  })

  it("says of which signature a detail is, where there are several", () => {
    const second = { ...signature, field: "Signature2" }
    expect(v.writeValidationInfo(modelOf([signature, second]), {}, say).details).toEqual([
      "Signature1: no-revocation-needed CN=Ada",
      "Signature2: no-revocation-needed CN=Ada",
    ])
  })
})
