import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contentDisposition } from "./file-name.ts"

describe("the name of a download", () => {
  it.each([
    ["Lease", "Lease.pdf", "Lease.pdf"],
    ["Lease.pdf", "Lease.pdf", "Lease.pdf"],
    ["Lease.PDF", "Lease.pdf", "Lease.pdf"],
    ["Mietvertrag Zürich", "Mietvertrag Z_rich.pdf", "Mietvertrag Zürich.pdf"],
    ["契約書", "___.pdf", "契約書.pdf"],
    ["50% off; really", "50_ off_ really.pdf", "50% off; really.pdf"],
    ["it's (a) *star*", "it's (a) star.pdf", "it's (a) star.pdf"],
    ['say "hi"', "say hi.pdf", "say hi.pdf"],
    ["../../etc/passwd", "etc passwd.pdf", "etc passwd.pdf"],
    ["C:\\temp\\x", "C temp x.pdf", "C temp x.pdf"],
    ["two\r\nSet-Cookie: a=b", "two Set-Cookie a=b.pdf", "two Set-Cookie a=b.pdf"],
    ["invoice\u202efdp.exe", "invoice fdp.exe.pdf", "invoice fdp.exe.pdf"],
    ["", "document.pdf", "document.pdf"],
    ["...", "document.pdf", "document.pdf"],
    [".pdf", "pdf.pdf", "pdf.pdf"],
    ["\ud800", "document.pdf", "document.pdf"],
  ])("%j is %j for old clients and %j for the others", (title, plain, whole) => {
    expect(parse(contentDisposition(title, "attachment"))).toEqual({ as: "attachment", plain, whole })
  })

  it("says inline when it is to be shown", () => {
    expect(parse(contentDisposition("Lease", "inline")).as).toBe("inline")
  })

  it("[R24] can be parsed as RFC 6266 has it, and is a harmless file name, whatever the title holds", () => {
    const awkward = fc.constantFrom(
      "\r",
      "\n",
      '"',
      "\\",
      "/",
      "..",
      ".pdf",
      "%",
      ";",
      "\u202e",
      "\ud800",
      "\0",
      "é",
      "'",
      "*",
    )
    const title = fc
      .array(fc.oneof(awkward, fc.string({ unit: "binary" })), { maxLength: 6 })
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(title, (text) => {
        const header = contentDisposition(text, "attachment")
        expect(header).toMatch(/^[\x20-\x7e]+$/)
        const { plain, whole } = parse(header)
        for (const name of [plain, whole]) {
          expect(name).toMatch(/[^.\s].*\.pdf$/u)
          expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|]/u)
          expect(name).not.toMatch(/^[.\s]/)
        }
        expect([...whole].length).toBeLessThanOrEqual(124)
      }),
      { numRuns: 1000 },
    )
  })

  it("keeps an ending that its type has, and gives one to any other name", () => {
    const named = (name: string) => parse(contentDisposition(name, "attachment", ["jpg", "jpeg"])).whole
    expect(["a.jpg", "a.JPEG", "a.bat", "a", ".jpg", "a.jpg.", "a.jpg\u202e"].map(named)).toEqual([
      "a.jpg",
      "a.jpeg",
      "a.bat.jpg",
      "a.jpg",
      "jpg.jpg",
      "a.jpg",
      "a.jpg",
    ])
  })

  it("keeps every character of an ordinary title", () => {
    const ordinary = fc.stringMatching(
      /^[A-Za-zäöüéèçñøß0-9]([A-Za-zäöüéèçñøß0-9 _()&+,'!-]{0,40}[A-Za-zß0-9])?$/,
    )
    fc.assert(
      fc.property(ordinary, (title) => {
        const { whole } = parse(contentDisposition(title, "attachment"))
        expect(whole).toBe(`${title.replace(/ +/g, " ")}.pdf`)
      }),
    )
  })
})

/** RFC 6266, 4.1 with RFC 8187, 3.2.1: a quoted string without escapes, then the characters of an extended value. */
function parse(header: string) {
  const [, as, plain, extended] =
    /^(attachment|inline); filename="([^"\\]*)"; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/.exec(
      header,
    ) ?? []
  if (as === undefined || plain === undefined || extended === undefined)
    throw new Error(`Not RFC 6266: ${header}`)
  return { as, plain, whole: decodeURIComponent(extended) }
}
