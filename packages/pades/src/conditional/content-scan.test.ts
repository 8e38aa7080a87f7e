import { describe, expect, it } from "vitest"
import { scanContent } from "./content-scan.ts"

const scan = (text: string, joints: readonly number[] = []) =>
  scanContent(Buffer.from(text, "latin1"), joints)

describe("scanContent", () => {
  it.each([
    ...[
      "(a) (b) Tj",
      "/a Tj",
      "1 Tj",
      "(a) TJ",
      "[/a] TJ",
      "/F Tf",
      "9 Tf",
      "1 rg",
      "/Black rg",
      "g",
      "1 2 3 k",
    ],
    ...["1 2 3 4 5 l", "1 2-3 m", "1e3 w", "--5 w", "1.2.3 w", "0x10 w", "60Td", "(a)TjET", "(a)Tj0 g"],
    ...["(a", "<0g>", "[1", "<< /A 1", ")", "]", "}", "(\\460) Tj", "99999999999 w"],
    ...["-1 w", "3 J", "7 j", "9 Tr", "[0 0] 0 d", "[-3] 0 d", "[3] -1 d", "1 2 l", "f 1 2 l"],
    ...["Q 0 0 1 1 re f", "1 0 0 1 0 0 cm Q (a) Tj", "a\u000bb"],
    ...[
      "BI /W 1 /H 1 /BPC 8 ID a EI",
      "BI /W 9 /H 1 /BPC 8 /CS /G ID a EI",
      "BI /W 1 /Width 2 /IM true ID a EI",
    ],
    ...["BI /W 1 /H 1 /BPC 8 /CS /G ID a", "BI /IM true /W 1 /H 1 /F /Fl ID abc", "BI 1 ID EI"],
  ])("finds what readers correct in their own way in %s", (text) => {
    expect(scan(text).problem).toBeDefined()
  })

  it.each([
    ...[
      "",
      "% nothing",
      "q 1 0 0 1 .5 -.5 cm Q",
      "BT /F 9 Tf [(a) -120 <30>] TJ ET",
      "(a\\) \\063 (b)) Tj",
      '1 2 (a) "',
    ],
    ...["/P scn", "1 0 0 /P scn", "[] 0 d", "[3 0] 1 d", "0 0 1 1 re 2 2 l f", "Q", "q q Q"],
    ...[
      "/A << /MCID 1 /B [1 (c) /D null true] >> BDC EMC",
      "/A /B DP",
      "BX 1 2 foo EX",
      "Vendor",
      "+5 w",
      "5. w",
    ],
    ...[
      "BI /W 2 /H 1 /BPC 8 /CS /G ID EI EI Q",
      "BI /W 9 /H 1 /IM true ID ab EI",
      "BI /IM true /F /Fl /W 1 /H 1 ID \x01 EI \x02 EI\nQ",
    ],
    ...["BI /W 1 /H 1 /BPC 8 /CS [/Indexed /DeviceRGB 0 <000000>] ID a\nEI"],
  ])("finds nothing in %s", (text) => {
    expect(scan(text).problem).toBeUndefined()
  })

  it("names the resources and layers of the content", () => {
    const found = scan(
      "/F 9 Tf /G gs /X#41 Do /DeviceRGB cs /C CS /Pattern cs 1 /P scn /S sh /OC /L BDC EMC /A /M BDC EMC",
    )
    expect([...found.resources]).toEqual([
      ...["Font F", "ExtGState G", "XObject XA", "ColorSpace C", "Pattern P", "Shading S"],
    ])
    expect([...found.layers]).toEqual(["L"])
    expect(found.isUnbalanced).toBe(false)
  })

  it.each(["/A BMC", "EMC", "BMC EMC", "/A BMC EMC EMC"])("says that %s is not balanced", (text) => {
    expect(scan(text).isUnbalanced).toBe(true)
  })

  it("tells a string that goes on in the next stream from one that ends", () => {
    expect(scan("(a\nb) Tj", [2]).problem).toBe("a string that goes on in the next stream")
    expect(scan("(a)\nTj", [3]).problem).toBeUndefined()
  })

  it("reads three megabytes in seconds, whatever they are", () => {
    for (const piece of [
      "(",
      "[",
      "<<",
      "1 ",
      "q ",
      "/a ",
      "BI ",
      "0 0 1 1 re f ",
      "BI /IM true /F /Fl ID EI\x01 ",
    ]) {
      const bytes = Buffer.from(piece.repeat(Math.ceil(3_000_000 / piece.length)), "latin1")
      const started = process.cpuUsage()
      scanContent(bytes)
      expect(process.cpuUsage(started).user / 1000, piece).toBeLessThan(5_000)
    }
  })
})
