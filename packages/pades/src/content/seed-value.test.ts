import { describe, expect, it } from "vitest"
import { PdfRefused } from "../refused.ts"
import { finish } from "../signing/finish.ts"
import { prepare } from "../signing/prepare.ts"
import { certificate, formWith, options, signOnto, valueFor } from "../testing/signer.ts"

const signing = (seed: string, more = {}) => {
  const field = `<< /T (author) /FT /Sig /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /SV << ${seed} >> >>`
  try {
    signOnto(formWith(field), "author", more)
    return "signed"
  } catch (error) {
    return error instanceof PdfRefused && error.code === "locked" ? error.message : error
  }
}
const hex = Buffer.from(certificate).toString("hex")

describe("the seed value of a field", () => {
  it.each([
    ["another signature handler", "/Ff 1 /Filter /Entrust.PPKEF", "/Ff 1 /Filter /Adobe.PPKLite"],
    [
      "another kind of signature",
      "/Ff 2 /SubFilter [/adbe.x509.rsa_sha1]",
      "/Ff 2 /SubFilter [/adbe.pkcs7.detached /ETSI.CAdES.detached]",
    ],
    ["a newer version", "/Ff 4 /V 4", "/Ff 4 /V 2"],
    ["another digest", "/Ff 64 /DigestMethod [(SHA512)]", "/Ff 64 /DigestMethod [(SHA256) (SHA512)]"],
    ["revocation information", "/Ff 32 /AddRevInfo true", "/Ff 32 /AddRevInfo false"],
    ["a named appearance", "/Ff 256 /AppearanceFilter (Blue)", "/AppearanceFilter (Blue)"],
    ["the document to be locked", "/Ff 128 /LockDocument /true", "/Ff 128 /LockDocument /auto"],
    ["a certification with permission 2", "/MDP << /P 2 >>", "/MDP << /P 0 >>"],
    [
      "another certificate",
      "/Cert << /Ff 1 /Subject [<00>] >>",
      `/Cert << /Ff 1 /Subject [<00> <${hex}>] >>`,
    ],
    ["of another issuer", "/Cert << /Ff 2 /Issuer [<00>] >>", `/Cert << /Ff 2 /Issuer [<${hex}>] >>`],
    ["for another use", "/Cert << /Ff 32 /KeyUsage [(1)] >>", "/Cert << /Ff 32 /KeyUsage [(1) (01)] >>"],
    [
      "rules that we do not know",
      "/Cert << /Ff 4 /OID [(1.2.3)] >>",
      "/Cert << /Ff 64 /URL (https://ca.example) >>",
    ],
  ])("asks for %s, and is kept or the signature refused", (words, wrong, right) => {
    expect(signing(wrong)).toContain(words)
    expect(signing(right)).toBe("signed")
  })

  it("binds only where it says so", () => {
    expect(signing("/Filter /Other /SubFilter [/x] /DigestMethod [(MD5)] /Reasons [(a)]")).toBe("signed")
  })

  it("may list the reasons, or allow none", () => {
    expect(signing("/Ff 8 /Reasons [(I agree) (Seen)]")).toContain("one of the reasons I agree, Seen")
    expect(signing("/Ff 8 /Reasons [(I agree) (Seen)]", { reason: "Seen" })).toBe("signed")
    expect(signing("/Ff 8 /Reasons [(.)]", { reason: "Seen" })).toContain("asks for no reason")
    expect(signing("/Ff 8 /Reasons [(.)]")).toBe("signed")
  })

  it("may ask for a certification, and is then signed by one", () => {
    expect(signing("/MDP << /P 2 >>", { certify: 2 })).toBe("signed")
    expect(signing("/MDP << /P 0 >>", { certify: 2 })).toContain("an approval")
    expect(signing("/Ff 16 /LegalAttestation [(None)] /MDP << /P 2 >>", { certify: 2 })).toContain(
      "attestation",
    )
  })

  it("may ask for a time-stamp, and then nothing is finished without one", () => {
    const base = formWith(
      "<< /T (author) /FT /Sig /SV << /TimeStamp << /URL (http://tsa.example) /Ff 1 >> >> >>",
    )
    const prepared = prepare(base, options("author"))
    expect(prepared.timestampRequired).toBe(true)
    expect(() => finish(prepared, valueFor(prepared))).toThrow("asks for a time-stamp")
  })
})
