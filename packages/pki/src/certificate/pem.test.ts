import { X509Certificate } from "node:crypto"
import { expect, it } from "vitest"
import { newRoot } from "../testing/small-pki.ts"
import { certificatesInPem } from "./pem.ts"

const roots = await Promise.all([newRoot(), newRoot()])
const [one = "", two = ""] = roots.map(({ certificate }) => new X509Certificate(certificate.der).toString())

it("gives every certificate in its order, and passes over what stands between them", () => {
  const found = certificatesInPem(`our roots\n${one}\n-----BEGIN X-----\n-----END X-----\n${two}`)
  expect(found).toEqual(roots.map(({ certificate }) => new Uint8Array(certificate.der)))
  expect(certificatesInPem("nothing here")).toEqual([])
})

it("refuses a file of which one is damaged, rather than trusting a part of it", () => {
  const damaged = two.replace(/\n(.{20})/, "\n-----$1")
  expect(() => certificatesInPem(one + damaged)).toThrow()
})
