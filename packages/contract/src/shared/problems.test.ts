import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { Problem, writeProblem } from "./problem.ts"
import { FAULT, PROBLEMS, type ProblemRow } from "./problems.ts"

const rows: readonly (readonly [string, ProblemRow])[] = Object.entries(PROBLEMS)
const PLACE = { rootUrl: "https://sign.example", requestId: "r1", method: "GET", path: "/v2/documents/1" }

describe.each(rows)("%s", (code, row) => {
  it("has a status that the interface or the decisions name", () => {
    const named = [400, 401, 403, 404, 406, 409, 413, 422, 429, 503]
    // Neither speaks of these, and RFC 9110, 15.5.13, 15.5.16 and 15.5.17 have one answer to each.
    const ours = new Map([
      ["unsupported-media-type", 415],
      ["range-not-satisfiable", 416],
      ["precondition-failed", 412],
    ])
    expect(ours.has(code) ? [ours.get(code)] : named).toContain(row.status)
  })

  it("has a type of the decisions", () => {
    expect([
      "problem-with-message",
      "entity-not-found",
      "feature-not-enabled",
      "constraint-violation",
      "parameterized",
      "limit-exceeded",
    ]).toContain(row.type)
  })

  it("has no key, or one that the decisions spell", () => {
    const keys = [
      "error.auth.token_expired",
      "error.auth.token_invalid",
      "error.auth.credentials_invalid",
      "error.rate_limit.exceeded",
      "error.rate_limit.reminder",
      "error.sr.invalid_state",
      "error.sr.last_document_cannot_be_removed",
      "error.idempotency.conflict",
      "error.credits.exhausted",
      "file.pdf.general_error",
      "file.pdf.encrypted",
      "file.pdf.corrupt",
      "file.pdf.too_large",
      "file.pdf.locked",
      "file.pdf.xfa",
      "file.attachment.unsupported",
      "file.malware.detected",
      // Ours, in a family of the interface.
      "file.pdf.active_content",
      "file.pdf.ambiguous_view",
      "file.pdf.not_renderable",
      "file.pdf.embedded_executable",
      "error.idempotency.in_progress",
      "error.role.needed",
      "error.name.invalid",
      "error.member.last_owner",
      "error.sr.held",
      // Ours, told to our own pages alone.
      "error.signature.others_signing",
      "error.signature.factor_needed",
      "error.signature.factor_held",
      "error.signature.identity_needed",
      "error.signature.not_released",
      "error.signature.release_over",
      "error.code.wrong",
      "error.code.locked",
      "error.session.other",
      "error.account.login_again",
      "error.account.second_factor_needed",
      "error.account.password_weak",
      "error.account.own_login_needed",
      "error.account.single_sign_on_needed",
      "error.account.single_sign_on_first",
      "error.account.single_sign_on_failed",
      "error.identification.needed",
      "error.identification.invalid_state",
      "file.attachment.too_large",
    ]
    expect([undefined, ...keys]).toContain(row.key)
  })

  it("is written as a problem of the schema, with its own page", () => {
    const problem = writeProblem(row, "What is wrong.", PLACE)
    expect(Value.Check(Problem, problem)).toBe(true)
    expect(problem.type).toBe(`https://sign.example/problem/${row.type}`)
    expect(problem.status).toBe(row.status)
    expect("key" in problem).toBe(row.key !== undefined)
  })
})

describe("the table", () => {
  it("answers 401 to a person who is not known, with a key of error.auth", () => {
    for (const [code, row] of rows)
      expect(row.status === 401, code).toBe(row.key?.startsWith("error.auth.") ?? false)
  })

  it("gives every fault of a PDF a key of file.pdf", () => {
    for (const [code, row] of rows.filter(([name]) => name.startsWith("pdf-")))
      expect(row.key, code).toMatch(/^file\.pdf\.[a-z_]+$/)
  })

  it("answers 403 of the type feature-not-enabled, which the interface names by its path", () => {
    expect(PROBLEMS["feature-not-enabled"]).toMatchObject({ status: 403, type: "feature-not-enabled" })
  })

  it.each([
    ["pdf-active-content", 400, "file.pdf.active_content"],
    ["pdf-ambiguous-view", 400, "file.pdf.ambiguous_view"],
    ["pdf-not-renderable", 400, "file.pdf.not_renderable"],
    ["pdf-embedded-executable", 400, "file.pdf.embedded_executable"],
    ["malware-detected", 400, "file.malware.detected"],
    ["document-signed", 400, "file.pdf.locked"],
    ["document-in-use", 400, "error.sr.invalid_state"],
    ["last-document", 400, "error.sr.last_document_cannot_be_removed"],
    ["being-removed", 403, undefined],
    ["not-acceptable", 406, undefined],
    ["range-not-satisfiable", 416, undefined],
    ["cannot-render", 422, undefined],
    ["pdf-too-large", 413, "file.pdf.too_large"],
  ] as const)("answers what is wrong with a document: %s", (code, status, key) => {
    const { key: written, ...row } = { key: undefined, ...PROBLEMS[code] }
    expect(row.status).toBe(status)
    expect(written).toBe(key)
  })

  it("answers 404 to nobody but who asks for what is not there", () => {
    expect(rows.filter(([, row]) => row.status === 404).map(([code]) => code)).toEqual(["not-found"])
  })

  it("has no row for a fault of ours, which has no key and tells nothing", () => {
    expect(FAULT).toEqual({
      status: 500,
      type: "problem-with-message",
      title: "Something went wrong on our side",
    })
  })
})
