import { describe, expect, it } from "vitest"
import { namedApart } from "./downloads.ts"

const named = (...titles: readonly string[]): readonly string[] =>
  namedApart(titles.map((title) => ({ title }))).map(([name]) => name)

/** Names that Windows gives to devices, whatever follows the first dot or space. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)([\s.]|$)/i

const HOSTILE = [
  ...[
    "../../etc/passwd",
    "..\\..\\windows\\system32\\x",
    "/etc/passwd",
    "C:\\autoexec.bat",
    "C:x",
    "\\\\host\\share\\x",
  ],
  ...[
    "~/x",
    "file:///etc/passwd",
    "..",
    ".",
    "a/../../b",
    "a\u2215b",
    "a\u29f8b",
    ".htaccess",
    "-rf",
    "-",
    "--output=x",
  ],
  ...[
    "CON",
    "con.txt",
    "Aux",
    "NUL.pdf",
    "PRN ",
    "COM1",
    "lpt9.docx",
    "COM¹",
    "CONIN$",
    "conout$",
    "nul .x",
    "AUX:stream",
  ],
  ...[
    "=1+2",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+2",
    "\r=1+2",
    '=cmd|"/c calc"!A1',
    '=HYPERLINK("https://evil.example")',
  ],
  ...[
    "a\0b",
    "a\r\nb",
    "a\u202efdp.exe",
    "a\u2066b\u2069",
    "\u200b",
    "\ufeffx",
    "e\u0301",
    "\u00e9",
    "x ",
    "x.",
    "x . . ",
  ],
  ...[
    "a".repeat(5000),
    "\u{1f600}".repeat(200),
    "契".repeat(200),
    `${"a".repeat(119)}.`,
    "\ud800\udfff\ud800",
    "",
    " ",
  ],
]

describe("the names of the files in an archive of hostile titles", () => {
  it("are plain names of at most 255 bytes, none a device of Windows", () => {
    const names = named(...HOSTILE)
    expect(names).toHaveLength(HOSTILE.length)
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(name).toMatch(/\.pdf$/)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|]/u)
      expect(name).not.toMatch(/^[.\s]|[.\s]$/)
      expect(name).not.toMatch(DEVICE)
    }
  })

  it("differ from each other where case and the form of Unicode do not count", () => {
    const fold = (name: string) => name.normalize("NFC").toLowerCase()
    const same = Array.from(
      { length: 30 },
      (_, i) => ["Lease", "LEASE", "lease.pdf", "Lease (2)"][i % 4] ?? "",
    )
    const long = Array.from({ length: 12 }, () => "\u{1f600}".repeat(200))
    const names = named(...HOSTILE, ...HOSTILE, ...same, ...long, "CON", "_CON")
    expect(new Set(names.map(fold)).size).toBe(names.length)
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })
})
