import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { qrCode } from "./qr-code.ts"

/** What was drawn when other people's readers (jsQR 1.4.0) read each of them back, for every length to 700. */
const READ_BACK: readonly (readonly [number, number, string])[] = [
  [10, 21, "32f80b6039c12984"],
  [150, 45, "2c6d51599e9df855"],
  [330, 65, "8d1799363f9d21cc"],
  [700, 89, "788c2db10e8c9455"],
]

it.each(READ_BACK)("draws %i characters as the readers read them", (length, size, sha256) => {
  const text = `otpauth://totp/Paraph:x@example.org?secret=${"ABCD2345EFGH".repeat(70)}`.slice(0, length)
  const code = qrCode(text)
  expect(code.size).toBe(size)
  expect(createHash("sha256").update(code.path).digest("hex").slice(0, 16)).toBe(sha256)
})

it("does not draw what no square of its own would hold", () => {
  expect(() => qrCode("x".repeat(900))).toThrow("too long")
})
