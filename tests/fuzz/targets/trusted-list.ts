// Trusted lists: XML, its canonical form, its signature, and what a list says. seeds/*.xml are two lists of our generator,
// signed by the one whose certificate lies beside them.

import { readFileSync } from "node:fs"
import { readCertificate } from "@paraph/pki/certificate"
import { canonicalBytes } from "../../../packages/validation/src/trusted-list/canonical-xml.ts"
import { readList } from "../../../packages/validation/src/trusted-list/read-list.ts"
import {
  readXml,
  type XmlElement,
  XmlError,
} from "../../../packages/validation/src/trusted-list/xml-reader.ts"
import { verifyListSignature } from "../../../packages/validation/src/trusted-list/xml-signature.ts"
import { must, same, type Target } from "../target.ts"

const seed = (name: string) => new Uint8Array(readFileSync(new URL(`../seeds/${name}`, import.meta.url)))
const SEEDS = [seed("trusted-list.xml"), seed("list-of-lists.xml")]
const SIGNER = readCertificate(seed("trusted-list.cer"))
const SAID = SEEDS.map((bytes) => said(withoutSignature(readXml(bytes))))

export const xml: Target = {
  name: "xml",
  kind: "text",
  seeds: () => [...SEEDS, ...SMALL.map((text) => new Uint8Array(Buffer.from(text)))],
  refusals: [XmlError],
  run: (input) => {
    const root = readXml(input)
    const canonicalization = { method: "exclusive", prefixes: [] } as const
    const canonical = canonicalBytes({ element: root, canonicalization })
    const again = readXml(canonical)
    must(said(again) === said(root), "the canonical form says the same")
    must(
      same(canonicalBytes({ element: again, canonicalization }), canonical),
      "the canonical form is canonical",
    )
    return `${root.local} ${root.children.length}`
  },
}

const SMALL = [
  '<a xmlns="urn:1" xmlns:b="urn:2" b:c="1" d="&lt;2&#10;"><b:e/>x<![CDATA[y]]><!-- z --></a>',
  '<?xml version="1.0" encoding="UTF-8"?>\n<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2" p:x="" x=""/><c xmlns=""/></p:a>',
]

export const trustedLists: Target = {
  name: "trusted-list",
  kind: "text",
  seeds: () => SEEDS,
  refusals: [XmlError],
  run: (input) => {
    const root = readXml(input)
    const verdict = verifyListSignature(root, [SIGNER])
    if (verdict.valid) must(SAID.includes(said(withoutSignature(root))), "only what was signed verifies")
    const { list, unreadableServices } = readList(root, { law: "EU", address: "https://example.org/" })
    must(JSON.stringify(list) === JSON.stringify(JSON.parse(JSON.stringify(list))), "a list is plain data")
    return `${verdict.valid ? "valid" : verdict.reason} ${list.form} ${list.services.length} ${unreadableServices}`
  },
}

function withoutSignature(root: XmlElement): XmlElement {
  return {
    ...root,
    children: root.children.filter((child) => typeof child === "string" || child.local !== "Signature"),
  }
}

/** What a reader of ours can see of it. */
function said({ local, namespace, attributes, children }: XmlElement): string {
  const keys = attributes.map((one) => `{${one.namespace}}${one.local}=${one.value}`).sort()
  const inner = children.map((child) => (typeof child === "string" ? child : said(child)))
  return JSON.stringify([`{${namespace}}${local}`, keys, inner])
}
