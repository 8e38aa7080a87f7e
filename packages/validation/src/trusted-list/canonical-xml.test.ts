import { describe, expect, it } from "vitest"
import { type Canonicalization, canonicalBytes } from "./canonical-xml.ts"
import { readXml, type XmlElement } from "./xml-reader.ts"
import { elementsOf, everyElement } from "./xml-tree.ts"

const EXCLUSIVE: Canonicalization = { method: "exclusive", prefixes: [] }
const INCLUSIVE: Canonicalization = { method: "inclusive" }

function canonical(element: XmlElement, canonicalization: Canonicalization, without?: XmlElement): string {
  return Buffer.from(canonicalBytes({ element, canonicalization, ...(without && { without }) })).toString(
    "utf8",
  )
}

const read = (text: string) => readXml(Buffer.from(text))

function named(root: XmlElement, local: string): XmlElement {
  const found = [...everyElement(root)].find((element) => element.local === local)
  if (found === undefined) throw new Error("no such element")
  return found
}

// Tests of others' canonicalizers against this one are in tests/conformance/trusted-lists.test.ts.
describe("Canonical XML, without comments", () => {
  it.each([
    ["an empty element has two tags (2.1)", "<a/>", "<a></a>"],
    [
      "white space inside tags goes, that in text stays (3.2)",
      "<a  >\n <b   />\n</a >",
      "<a>\n <b></b>\n</a>",
    ],
    [
      "attributes by namespace and name, declarations first (3.3)",
      '<a c="3" xmlns:z="urn:1" z:b="2" a="1" xmlns:y="urn:2" y:a="0"/>',
      '<a xmlns:y="urn:2" xmlns:z="urn:1" a="1" c="3" z:b="2" y:a="0"></a>',
    ],
    [
      "names are ordered by their code points",
      '<a \u{10000}="2" \uffdc="1"/>',
      '<a \uffdc="1" \u{10000}="2"></a>',
    ],
    [
      "characters in text (3.4)",
      "<a>&lt;&gt;&amp;&quot;&#13;&#10;&#9;</a>",
      '<a>&lt;&gt;&amp;"&#xD;\n\t</a>',
    ],
    [
      "characters in attributes (3.4)",
      "<a b='&lt;>&amp;&quot;&#13;&#10;&#9;'/>",
      '<a b="&lt;>&amp;&quot;&#xD;&#xA;&#x9;"></a>',
    ],
    ["white space in attributes is spaces", '<a b="1\t2\n3"/>', '<a b="1 2 3"></a>'],
    ["CDATA is text (3.4)", "<a><![CDATA[<&>]]></a>", "<a>&lt;&amp;&gt;</a>"],
    ["comments go (3.1)", "<!-- 1 --><a><!-- 2 -->b<!-- 3 --></a><!-- 4 -->", "<a>b</a>"],
    [
      "a declaration that says what is said goes",
      '<a xmlns="urn:1"><b xmlns="urn:1"/></a>',
      '<a xmlns="urn:1"><b></b></a>',
    ],
    [
      "an empty default namespace is written where there was another",
      '<a xmlns="urn:1"><b xmlns=""/></a>',
      '<a xmlns="urn:1"><b xmlns=""></b></a>',
    ],
    ["an empty default namespace is not written where there was none", '<a xmlns=""/>', "<a></a>"],
  ])("%s", (_, input, output) => {
    const root = read(input)
    expect(canonical(root, INCLUSIVE)).toBe(output)
    expect(canonical(root, EXCLUSIVE)).toBe(output)
  })

  it("a part brings the namespaces of its ancestors along, exclusively only those that it uses", () => {
    const part = named(
      read('<a xmlns="urn:1" xmlns:x="urn:2" xmlns:y="urn:3"><x:b><c y:d=""/></x:b></a>'),
      "b",
    )
    expect(canonical(part, INCLUSIVE)).toBe(
      '<x:b xmlns="urn:1" xmlns:x="urn:2" xmlns:y="urn:3"><c y:d=""></c></x:b>',
    )
    expect(canonical(part, EXCLUSIVE)).toBe(
      '<x:b xmlns:x="urn:2"><c xmlns="urn:1" xmlns:y="urn:3" y:d=""></c></x:b>',
    )
    expect(canonical(part, { method: "exclusive", prefixes: ["y", ""] })).toBe(
      '<x:b xmlns="urn:1" xmlns:x="urn:2" xmlns:y="urn:3"><c y:d=""></c></x:b>',
    )
  })

  it("exclusively, a prefix is declared again beside, and again where it means another thing", () => {
    const root = read('<a xmlns:x="urn:1"><x:b/><x:c xmlns:x="urn:2"><x:d/></x:c></a>')
    expect(canonical(root, EXCLUSIVE)).toBe(
      '<a><x:b xmlns:x="urn:1"></x:b><x:c xmlns:x="urn:2"><x:d></x:d></x:c></a>',
    )
  })

  it("leaves out the one element that it is told to", () => {
    const root = read("<a>1<b>2</b>3<b>4</b></a>")
    const [first] = elementsOf(root)
    expect(canonical(root, INCLUSIVE, first)).toBe("<a>13<b>4</b></a>")
  })

  it("refuses a part whose ancestors have attributes of the xml namespace, inclusively", () => {
    const part = named(read('<a xml:lang="en"><b/></a>'), "b")
    expect(() => canonical(part, INCLUSIVE)).toThrow("xml namespace")
    expect(canonical(part, EXCLUSIVE)).toBe("<b></b>")
  })
})
