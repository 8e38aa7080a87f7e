import { describe, expect, it } from "vitest"
import { createPreviewLinks } from "./preview-links.ts"

const links = createPreviewLinks(Buffer.alloc(32, 1), "https://sign.example")
const ID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
const token = new URL(links.urlOf(ID)).pathname.replace("/preview/", "")

describe("the address of a signer without an account", () => {
  it("names one signature, and is always the same", () => {
    expect(links.urlOf(ID)).toBe(`https://sign.example/preview/${token}`)
    expect(links.urlOf(ID)).toBe(links.urlOf(ID))
    expect(links.signatureIn(token)).toBe(ID)
  })

  it("opens nothing when any part of it is changed", () => {
    for (let i = 0; i < token.length; i += 1) {
      const other = token[i] === "A" ? "B" : "A"
      expect(links.signatureIn(token.slice(0, i) + other + token.slice(i + 1))).toBeNull()
    }
    for (const wrong of ["", "x", token.slice(1), `${token}A`, `${token}=`, token.slice(0, 22)])
      expect(links.signatureIn(wrong)).toBeNull()
  })

  it("is of this installation alone", () => {
    const others = createPreviewLinks(Buffer.alloc(32, 2), "https://sign.example")
    expect(others.signatureIn(token)).toBeNull()
  })
})
