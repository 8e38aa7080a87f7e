// Lists of Austria that must not be believed, each wrong in one way, with the reason that says so.

import type { ListProblem } from "../trusted-list/judge-list.ts"
import { newRoot } from "./keys.ts"
import { type SigningOrder, signList } from "./list-signer.ts"
import { listOfLists, nationalList, type TrustWorld, usualServices } from "./trust-world.ts"

export type WrongList = {
  readonly name: string
  readonly reason: ListProblem["reason"]
  readonly make: (world: TrustWorld) => Uint8Array | Promise<Uint8Array>
}

function good(world: TrustWorld, how: Partial<SigningOrder> = {}): string {
  return Buffer.from(signList(nationalList(world, "AT"), { signer: world.AT.operator, ...how })).toString(
    "utf8",
  )
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf8"))
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

const CHANGED: readonly WrongList[] = [
  {
    name: "a provider got another name after signing",
    reason: "changed",
    make: (world) => bytes(good(world).replace("Provider of AT", "Provider of XX")),
  },
  {
    name: "a service was granted again after signing",
    reason: "changed",
    make: (world) => {
      const services = usualServices(world.AT).map((one) => ({ ...one, status: "withdrawn" }))
      const list = signList(nationalList(world, "AT", services), { signer: world.AT.operator })
      return bytes(Buffer.from(list).toString("utf8").replaceAll("Svcstatus/withdrawn", "Svcstatus/granted"))
    },
  },
  {
    name: "the signed properties have another time than was signed",
    reason: "changed",
    make: (world) => bytes(good(world).replace("<xades:SigningTime>2026", "<xades:SigningTime>2025")),
  },
  {
    name: "a digest was fitted to the change, and the value was not",
    reason: "bad-signature",
    make: (world) => {
      const forged = good(world).replace("Provider of AT", "Provider of XX")
      const mine = signList(nationalList(world, "AT").replace("Provider of AT", "Provider of XX"), {
        signer: world.IT.operator,
        claimed: world.AT.operator,
      })
      const digest = /<ds:DigestValue>([^<]+)</.exec(Buffer.from(mine).toString("utf8"))?.[1] ?? ""
      return bytes(forged.replace(/<ds:DigestValue>[^<]+</, `<ds:DigestValue>${digest}<`))
    },
  },
  {
    name: "the digest is hidden behind a comment",
    reason: "changed",
    make: (world) => bytes(good(world).replace("<ds:DigestValue>", "<ds:DigestValue>AAAA<!-- -->")),
  },
  {
    name: "a bit of the value is another",
    reason: "bad-signature",
    make: (world) =>
      bytes(
        good(world).replace(
          /(<ds:SignatureValue Id="value">)(.)/,
          (_, tag: string, first: string) => `${tag}${first === "A" ? "B" : "A"}`,
        ),
      ),
  },
]

const SIGNERS: readonly WrongList[] = [
  {
    name: "the operator of another country signed it",
    reason: "unknown-signer",
    make: (world) => bytes(good(world, { signer: world.IT.operator })),
  },
  {
    name: "a stranger of the same name signed it, and brings the certificate along",
    reason: "unknown-signer",
    make: async (world) =>
      bytes(good(world, { signer: await newRoot({ name: "Operator of AT", country: "AT" }) })),
  },
  {
    name: "a stranger signed it and names the operator's certificate",
    reason: "bad-signature",
    make: async (world) =>
      bytes(good(world, { signer: await newRoot({ name: "Stranger" }), claimed: world.AT.operator })),
  },
  {
    name: "nobody signed it",
    reason: "no-signature",
    make: (world) => bytes(nationalList(world, "AT")),
  },
  {
    name: "no certificate is bound to the signature",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, {
          change: (signature) =>
            signature.replace(/<xades:SigningCertificateV2>.*<\/xades:SigningCertificateV2>/, ""),
        }),
      ),
  },
]

const WRAPPED: readonly WrongList[] = [
  {
    name: "the signed list lies inside a new one",
    reason: "signature-form",
    make: (world) => {
      const signed = good(world).replace(DECLARATION, "")
      const forged = nationalList(world, "AT").replace("Provider of AT", "Provider of XX")
      const at = forged.lastIndexOf("</")
      return bytes(`${forged.slice(0, at)}${signed}${forged.slice(at)}`)
    },
  },
  {
    name: "the signed list lies in an object of the signature, and a new one around it",
    reason: "signature-form",
    make: (world) => {
      const signed = good(world, { referenceUri: "#list" }).replace(DECLARATION, "")
      const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(signed)?.[0] ?? ""
      const kept = signed.replace(signature, "")
      const forged = nationalList(world, "AT")
        .replace("Provider of AT", "Provider of XX")
        .replace('Id="list"', 'Id="new"')
      const wrapped = signature.replace("</ds:Signature>", `<ds:Object>${kept}</ds:Object></ds:Signature>`)
      const at = forged.lastIndexOf("</")
      return bytes(`${forged.slice(0, at)}${wrapped}${forged.slice(at)}`)
    },
  },
  {
    name: "it is signed by its id, not as a whole",
    reason: "signature-form",
    make: (world) => bytes(good(world, { referenceUri: "#list" })),
  },
  {
    name: "there are two signatures",
    reason: "signature-form",
    make: (world) => signList(good(world), { signer: world.AT.operator }),
  },
  {
    name: "something stands behind the signature",
    reason: "signature-form",
    make: (world) =>
      bytes(good(world).replace("</ds:Signature>", "</ds:Signature><TrustServiceProviderList/>")),
  },
  {
    name: "there is a third reference",
    reason: "signature-form",
    make: (world) => {
      const digest = '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>'
      const more = `<ds:Reference URI="#value">${digest}<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>`
      return bytes(good(world, { moreReferences: more }))
    },
  },
  {
    name: "another signature lies inside the signature",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world).replace(
          "</xades:QualifyingProperties>",
          `<xades:UnsignedProperties><ds:Signature/></xades:UnsignedProperties></xades:QualifyingProperties>`,
        ),
      ),
  },
  {
    name: "the signature has an object more",
    reason: "signature-form",
    make: (world) =>
      bytes(good(world).replace("</ds:Signature>", "<ds:Object>anything</ds:Object></ds:Signature>")),
  },
  {
    name: "what is signed has a part more",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, {
          change: (signature) => signature.replace("</ds:SignedInfo>", "<ds:Other/></ds:SignedInfo>"),
        }),
      ),
  },
  {
    name: "a transform follows the canonicalization",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, {
          change: (signature) =>
            signature.replace("</ds:Transforms>", '<ds:Transform Algorithm="urn:other"/></ds:Transforms>'),
        }),
      ),
  },
  {
    name: "the properties are not among what is signed",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, {
          change: (signature) => signature.replace(/<ds:Reference Type=.*?<\/ds:Reference>/, ""),
        }),
      ),
  },
  {
    name: "two elements have the id of the properties",
    reason: "signature-form",
    make: (world) =>
      signList(
        nationalList(world, "AT").replace("<SchemeInformation>", '<SchemeInformation Id="properties">'),
        {
          signer: world.AT.operator,
        },
      ),
  },
  {
    name: "the properties are those of another signature",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, { change: (signature) => signature.replace('Target="#signature"', 'Target="#other"') }),
      ),
  },
  {
    name: "a transform takes a part of it away",
    reason: "signature-form",
    make: (world) =>
      bytes(
        good(world, {
          moreTransforms:
            '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(ancestor-or-self::x)</ds:XPath></ds:Transform>',
        }),
      ),
  },
]

const WEAK: readonly WrongList[] = [
  {
    name: "SHA-1",
    reason: "weak-algorithm",
    make: async (world) =>
      bytes(good(world, { digest: "sha1", signer: await newRoot({ name: "R", kind: "RSA" }) })),
  },
  {
    name: "an HMAC, whose key anybody may know",
    reason: "weak-algorithm",
    make: (world) => bytes(good(world, { method: "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256" })),
  },
]

const FORMS: readonly WrongList[] = [
  {
    name: "a document type",
    reason: "not-readable",
    make: (world) =>
      bytes(good(world).replace(DECLARATION, `${DECLARATION}<!DOCTYPE TrustServiceStatusList>`)),
  },
  {
    name: "entities that grow",
    reason: "not-readable",
    make: (world) => {
      const lines = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
      const type = `<!DOCTYPE TrustServiceStatusList [<!ENTITY e0 "ha">${lines.join("")}]>`
      return bytes(good(world).replace(DECLARATION, type).replace("Provider of AT", "&e12;"))
    },
  },
  {
    name: "an entity from elsewhere",
    reason: "not-readable",
    make: (world) => {
      const type = '<!DOCTYPE TrustServiceStatusList [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
      return bytes(good(world).replace(DECLARATION, type).replace("Provider of AT", "&e;"))
    },
  },
  {
    name: "an entity that nobody declared",
    reason: "not-readable",
    make: (world) => bytes(good(world).replace("Provider of AT", "&nbsp;")),
  },
  {
    name: "a processing instruction",
    reason: "not-readable",
    make: (world) => bytes(good(world).replace(DECLARATION, `${DECLARATION}<?xml-stylesheet href="a.xsl"?>`)),
  },
  {
    name: "another encoding",
    reason: "not-readable",
    make: (world) => new Uint8Array(Buffer.from(`\ufeff${good(world)}`, "utf16le")),
  },
  {
    name: "a depth of a hundred thousand",
    reason: "not-readable",
    make: () => bytes(`${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}`),
  },
  {
    name: "one tag of a hundred thousand attributes",
    reason: "not-readable",
    make: () => bytes(`<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(" ")}/>`),
  },
  {
    name: "a page that is no list",
    reason: "not-readable",
    make: () => bytes("<!doctype html><title>404</title>"),
  },
  { name: "nothing", reason: "not-readable", make: () => new Uint8Array() },
  {
    name: "another element at its root, well signed",
    reason: "not-readable",
    make: (world) => signList("<list></list>", { signer: world.AT.operator }),
  },
  {
    name: "a version that is not known, well signed",
    reason: "not-readable",
    make: (world) =>
      signList(nationalList(world, "AT", undefined, { version: 7 }), { signer: world.AT.operator }),
  },
  {
    name: "the list of another country, signed by the right operator",
    reason: "not-as-pointed-to",
    make: (world) => signList(nationalList(world, "IT"), { signer: world.AT.operator }),
  },
  {
    name: "a list of lists in the place of a list",
    reason: "not-as-pointed-to",
    make: (world) => signList(listOfLists(world, { territory: "AT" }), { signer: world.AT.operator }),
  },
  {
    name: "a list of tomorrow",
    reason: "issued-in-the-future",
    make: (world) =>
      signList(nationalList(world, "AT", undefined, { issued: new Date("2026-06-03T00:00:00Z") }), {
        signer: world.AT.operator,
      }),
  },
]

export const WRONG_LISTS: readonly WrongList[] = [...CHANGED, ...SIGNERS, ...WRAPPED, ...WEAK, ...FORMS]
