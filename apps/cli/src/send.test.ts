import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { NotUnderstood } from "./not-understood.ts"
import { changesTold, exitCodeOf, personTold } from "./request-told.ts"
import { send } from "./send.ts"
import { serviceOf } from "./service.ts"
import { status } from "./status.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-send-"))
const pdf = join(folder, "a.pdf")
writeFileSync(pdf, "%PDF-")
afterAll(() => rmSync(folder, { recursive: true }))

describe("paraph send refuses in words, before anybody is written to", () => {
  it.each([
    ["no file", ["--to", "a@example.org"], "which files?"],
    ["a file that is not there", ["/nowhere.pdf", "--to", "a@example.org"], "cannot be read"],
    ["nobody to sign", [pdf], "--to is needed"],
    ["what is no address", [pdf, "--to", "ann"], "--to: ann is not a mail address."],
    ["an unknown quality", [pdf, "--to", "a@example.org", "--quality", "best"], "--quality is SES"],
    ["a day that is none", [pdf, "--to", "a@example.org", "--expires", "soon"], "--expires is a day"],
    [
      "an output without waiting",
      [pdf, "--to", "a@example.org", "--output", "x.pdf"],
      "--output needs --wait",
    ],
    ["an output that is there", [pdf, "--to", "a@example.org", "--wait", "--output", pdf], "not overwritten"],
    ["a key as a word", [pdf, "--to", "a@example.org", "--api-key", "x"], "--api-key"],
  ])("%s", async (_, words, told) => {
    await expect(send(words)).rejects.toThrow(NotUnderstood)
    await expect(send(words)).rejects.toThrow(told)
  })

  it("a status of what is no id", async () => {
    await expect(status(["lease"])).rejects.toThrow("which request?")
  })

  it("a service that nobody named, or that is not safe to speak to", () => {
    expect(() => serviceOf({})).toThrow("PARAPH_URL, PARAPH_USERNAME and PARAPH_API_KEY")
    const who = { PARAPH_USERNAME: "acme", PARAPH_API_KEY: "x" }
    expect(() => serviceOf({ ...who, PARAPH_URL: "http://sign.example.org" })).toThrow("PARAPH_URL: ")
    expect(() => serviceOf({ ...who, PARAPH_URL: "https://sign.example.org" })).not.toThrow()
  })
})

describe("a request is told", () => {
  type Told = Parameters<typeof personTold>[0]
  type Request = Parameters<typeof exitCodeOf>[0]
  const ann = { account_email: "ann@example.org", sid: "1", status_code: "OPEN" } as Told
  const signed = {
    ...ann,
    status_code: "SIGNED",
    signed_quality: "AES",
    signed_at: "2030-01-31T08:00:00Z",
  } as Told
  const of = (status_overall: string, ...signatures: Told[]) =>
    ({ status_overall, signatures }) as unknown as Request

  it("by each person, and what has happened to the mail", () => {
    expect(personTold(ann)).toBe("ann@example.org: has not opened it yet")
    expect(personTold({ ...ann, mail_problem: "unknown" })).toContain("the mail did not arrive: unknown")
    expect(personTold({ ...ann, waiting_for: "TIMESTAMP" })).toContain("waits for TIMESTAMP")
    expect(personTold(signed)).toBe("ann@example.org: signed (AES) at 2030-01-31T08:00:00Z")
    expect(personTold({ ...ann, status_code: "DECLINED" })).toBe("ann@example.org: declined")
  })

  it("by what is new since the last look", () => {
    expect(changesTold(null, of("OPEN", ann))).toHaveLength(1)
    expect(changesTold(of("OPEN", ann), of("OPEN", ann))).toEqual([])
    expect(changesTold(of("OPEN", ann), of("SIGNED", signed))).toEqual([personTold(signed)])
  })

  it("by its exit code: 0 signed, 3 open, 4 over without", () => {
    const codes = ["SIGNED", "DRAFT", "OPEN", "DECLINED", "EXPIRED", "WITHDRAWN", "ERROR"].map((each) =>
      exitCodeOf(of(each)),
    )
    expect(codes).toEqual([0, 3, 3, 4, 4, 4, 4])
  })
})
