import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { PdfRefused } from "../refused.ts"
import { writeSample } from "../sample.ts"
import { rc4 } from "./rc4.ts"

// What is encrypted and how it is read is proved with qpdf and with foreign files in tests/conformance.

describe("RC4", () => {
  it.each([
    ["Key", "Plaintext", "bbf316e8d940af0ad3"],
    ["Wiki", "pedia", "1021bf0420"],
    ["Secret", "Attack at dawn", "45a01f645fc35b383552544b9bf5"],
  ])("of %s and %s is known", (key, plain, expected) => {
    const found = rc4(Buffer.from(key), Buffer.from(plain))
    expect(Buffer.from(found).toString("hex")).toBe(expected)
    expect(Buffer.from(rc4(Buffer.from(key), found)).toString()).toBe(plain)
  })
})

describe("an encrypted file is refused", () => {
  const BODIES = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] >>"]
  const short = `/O <${"00".repeat(32)}> /U <${"00".repeat(32)}> /P -4`
  const refused = (encrypt: string, password?: string) => {
    try {
      const options = password === undefined ? {} : { password }
      describePdf(writeSample(BODIES, `/Encrypt ${encrypt}`), options)
    } catch (error) {
      if (error instanceof PdfRefused) return `${error.code}: ${error.message}`
      throw error
    }
  }

  it("unless somebody asks for it with a password", () => {
    expect(refused("<< /Filter /Standard >>")).toBe("encrypted: The PDF is encrypted.")
  })

  it.each([
    [
      "for certificates",
      "<< /Filter /Adobe.PubSec /V 5 >>",
      "encrypted: The PDF is encrypted for the holders",
    ],
    ["by an unknown handler", "<< /Filter /Own >>", "encrypted: The PDF is encrypted in a way that only"],
    [
      "in an unpublished way",
      `<< /Filter /Standard /V 3 /R 3 ${short} >>`,
      "encrypted: The PDF is encrypted in a way",
    ],
    [
      "in a mixed way",
      `<< /Filter /Standard /V 5 /R 3 ${short} >>`,
      "encrypted: The PDF is encrypted in a way",
    ],
    [
      "with another password",
      `<< /Filter /Standard /V 1 /R 2 ${short} >>`,
      "encrypted: The password does not open",
    ],
    [
      "with half a dictionary",
      "<< /Filter /Standard /V 1 /R 2 /P 0 /O () /U () >>",
      "corrupt: The encryption dictionary is cut short",
    ],
    [
      "without permissions",
      "<< /Filter /Standard /V 1 /R 2 >>",
      "corrupt: The encryption has no permissions",
    ],
    [
      "with an odd key",
      `<< /Filter /Standard /V 2 /R 3 /Length 41 ${short} >>`,
      "corrupt: The length of the key",
    ],
    ["by something that is no dictionary", "[]", "corrupt: The encryption dictionary is not"],
  ])("%s", (_, encrypt, expected) => {
    expect(refused(encrypt, "")).toContain(expected)
  })
})
