import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalBytes } from "./canonical-xml.ts"
import { readXml, XML_LIMITS, type XmlElement, XmlError } from "./xml-reader.ts"

const read = (text: string) => readXml(Buffer.from(text, "utf8"))

describe("reading XML", () => {
  it("gives elements with their namespaces, attributes and texts", () => {
    const root = read('<a xmlns="urn:a" xmlns:b="urn:b" b:c="1" d="2">x<b:e/>y<![CDATA[<z>]]></a>')
    expect(root).toMatchObject({
      local: "a",
      namespace: "urn:a",
      attributes: [
        { prefix: "b", local: "c", namespace: "urn:b", value: "1" },
        { prefix: "", local: "d", namespace: "", value: "2" },
      ],
    })
    expect(root.declared).toEqual(
      new Map([
        ["", "urn:a"],
        ["b", "urn:b"],
      ]),
    )
    expect(root.children.map((child) => (typeof child === "string" ? child : child.local))).toEqual([
      "x",
      "e",
      "y<z>",
    ])
  })

  it("passes over comments as if they were not there", () => {
    expect(read("<a>one<!-- not --> text</a>").children).toEqual(["one text"])
  })

  it("reads the characters that have names and those that have numbers", () => {
    expect(read("<a>&lt;&amp;&gt;&quot;&apos;&#x41;&#66;</a>").children).toEqual(["<&>\"'AB"])
  })

  it("takes a byte order mark, and line ends as XML says", () => {
    expect(read("\ufeff<a>1\r\n2\r3</a>").children).toEqual(["1\n2\n3"])
  })

  it.each<readonly [string, string | Uint8Array]>([
    ["a document type", "<!DOCTYPE a><a/>"],
    ["a document type inside", "<a><!DOCTYPE b></a>"],
    ["an entity", "<a>&b;</a>"],
    ["an entity in an attribute", '<a b="&c;"/>'],
    ["a processing instruction", "<a><?b c?></a>"],
    ["another version", '<?xml version="1.1"?><a/>'],
    ["another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ["bytes that are not UTF-8", new Uint8Array([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e])],
    ["UTF-16", new Uint8Array(Buffer.from("\ufeff<a/>", "utf16le"))],
    ["nothing", ""],
    ["text alone", "a"],
    ["a tag that does not end", "<a"],
    ["an element that does not end", "<a>"],
    ["an element that ends twice", "<a></a></a>"],
    ["two roots", "<a/><b/>"],
    ["text behind the root", "<a/>b"],
    ["crossed elements", "<a><b></a></b>"],
    ["an attribute twice", '<a b="1" b="2"/>'],
    ["an attribute twice by its namespace", '<a xmlns:x="urn:a" xmlns:y="urn:a" x:b="1" y:b="2"/>'],
    ["a prefix that is not declared", "<x:a/>"],
    ["a prefix of an attribute that is not declared", '<a x:b="1"/>'],
    ["a prefix that is taken back", '<a xmlns:x=""/>'],
    ["the prefix xmlns as an element", "<xmlns:a/>"],
    ["another name for the prefix xml", '<a xmlns:xml="urn:a"/>'],
    ["a character that XML does not have", "<a>\u0000</a>"],
    ["its number", "<a>&#0;</a>"],
    ["half a character", "<a>&#xD800;</a>"],
    ["a bracket in an attribute", '<a b="<"/>'],
    ["]]> in text", "<a>]]></a>"],
    ["-- in a comment", "<a><!-- -- --></a>"],
  ])("refuses %s", (_, input) => {
    expect(() => (typeof input === "string" ? read(input) : readXml(input))).toThrow(XmlError)
  })

  it("has a limit on everything", () => {
    const few = { ...XML_LIMITS, bytes: 50, depth: 3, elements: 5, attributes: 2, namespaces: 1 }
    const asked = (text: string) => () => readXml(Buffer.from(text), few)
    expect(asked("<a><b><c/></b></a>")).not.toThrow()
    expect(asked("<a><b><c><d/></c></b></a>")).toThrow("nested too deep")
    expect(asked("<a><b/><b/><b/><b/><b/></a>")).toThrow("too many elements")
    expect(asked('<a b="1" c="2" d="3"/>')).toThrow("too many attributes")
    expect(asked('<a><b xmlns="u:1"/><b xmlns="u:2"/></a>')).not.toThrow()
    expect(asked('<a xmlns="u:1"><b xmlns:c="u:2"/></a>')).toThrow("too many namespaces")
    expect(asked(`<a>${"b".repeat(50)}</a>`)).toThrow("more bytes")
  })

  it("says no to what is deep or wide in a moment, however large it is", () => {
    const begun = process.cpuUsage()
    expect(() => read("<a>".repeat(2_000_000))).toThrow("nested too deep")
    expect(() =>
      read(`<a ${'b="1" '.repeat(1)}${Array.from({ length: 200_000 }, (_, at) => `c${at}=""`).join(" ")}/>`),
    ).toThrow("too many attributes")
    expect(() => read(`<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(200_000)}]><a/>`)).toThrow("a document type")
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000)
  })
})

const MEGABYTES_5 = 5_000_000
const often = (piece: string) => piece.repeat(Math.ceil(MEGABYTES_5 / piece.length))

describe("five megabytes made to cost much", () => {
  it.each<readonly [string, string]>([
    ["text of character references", `<a>${often("&lt;")}</a>`],
    ["one attribute", `<a b="${often("x")}"/>`],
    ["one attribute of character references", `<a b="${often("&#65;")}"/>`],
    ["a comment of hyphens apart", `<a><!--${often("- ")}--></a>`],
    ["comments between letters", `<a>${often("x<!---->")}</a>`],
    ["a CDATA section of brackets", `<a><![CDATA[${often("] ]")}]]></a>`],
    ["CDATA sections", `<a>${often("<![CDATA[x]]>")}</a>`],
    ["spaces in a tag", `<a ${often(" ")}/>`],
    ["a name", `<${often("a")}/>`],
    [
      "prefixes that are declared again on each element",
      `<a>${often('<b xmlns:p="urn:p" xmlns:q="urn:q"/>')}</a>`,
    ],
    [
      "attributes whose names differ in their last letter",
      `<a ${Array.from({ length: 60_000 }, (_, at) => `${"n".repeat(60)}${at}=""`).join(" ")}/>`,
    ],
    ["ends of lines", `<a>${often("\r\n\r")}</a>`],
    ["a reference that does not end", `<a>&${often("x")}`],
    ["a tag that does not end", `<a b="${often("<")}`],
  ])("%s: is read or refused in less than three seconds of the processor", (_, document) => {
    const begun = process.cpuUsage()
    try {
      readXml(Buffer.from(document))
    } catch (error) {
      expect(error).toBeInstanceOf(XmlError)
    }
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000)
  })

  it("an external entity, by each way of naming one, is refused before anything is read", () => {
    const types = [
      '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
      '<!DOCTYPE a PUBLIC "-//x" "http://127.0.0.1/x.dtd">',
      '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x.dtd"> %p;]>',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
      '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>',
      '<!DOCTYPE a [<!ATTLIST a b CDATA "&c;">]>',
    ]
    for (const type of types) expect(() => read(`${type}<a>&b;&c;</a>`)).toThrow("a document type")
    expect(() =>
      read('<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd"/></a>'),
    ).not.toThrow()
  })
})

// Documents of a few names, with everything that changes their form and nothing of what they say.
const text = fc.string({
  unit: fc.constantFrom("a", "<", "&", ">", '"', "'", " ", "\t", "\n", "\r", "é", "😀", "]]"),
  maxLength: 8,
})
const name = fc.constantFrom("a", "b", "c")
const { document } = fc.letrec<{ document: string; element: string }>((tie) => ({
  document: tie("element"),
  element: fc
    .record({
      name,
      prefix: fc.constantFrom("", "p:", "q:"),
      declares: fc.uniqueArray(
        fc.constantFrom('xmlns="urn:1"', 'xmlns=""', 'xmlns:p="urn:2"', 'xmlns:q="urn:1"'),
        {
          selector: (declaration) => declaration.split("=")[0],
        },
      ),
      attributes: fc.uniqueArray(fc.tuple(fc.constantFrom("x", "y", "p:x", "xml:lang"), text), {
        selector: ([key]) => key,
      }),
      children: fc.array(
        fc.oneof({ maxDepth: 4 }, text.map(escaped), tie("element") as fc.Arbitrary<string>),
        { maxLength: 3 },
      ),
    })
    .map(({ name: local, prefix, declares, attributes, children }) => {
      const pairs = attributes.map(([key, value]) => `${key}="${escaped(value)}"`)
      const tag = `${prefix}${local}`
      return `<${[tag, ...declares, ...pairs].join(" ")}>${children.join("<!-- -->")}</${tag}>`
    }),
}))

function escaped(value: string): string {
  const numbers = [...value].map((one) => (/[<&>"\t\n\r]/.test(one) ? `&#${one.codePointAt(0)};` : one))
  return numbers.join("")
}

const around = (inner: string) => `<r xmlns:p="urn:p" xmlns:q="urn:q">${inner}</r>`

describe("whatever it is", () => {
  it("is read or refused with an XmlError: well-formed documents, changed anywhere", () => {
    fc.assert(
      fc.property(
        document,
        fc.nat(),
        fc.uint8Array({ maxLength: 4 }),
        fc.nat(6),
        (inner, place, put, taken) => {
          const bytes = Buffer.from(around(inner))
          const at = place % bytes.length
          const changed = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + taken)])
          try {
            readXml(changed)
          } catch (error) {
            expect(error).toBeInstanceOf(XmlError)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it("is the same document when it is read from its canonical form, and that is canonical", () => {
    fc.assert(
      fc.property(document, fc.constantFrom("exclusive", "inclusive"), (inner, method) => {
        const canonicalization = method === "exclusive" ? { method, prefixes: [] } : ({ method } as const)
        const root = read(around(inner))
        const once = canonicalBytes({ element: root, canonicalization } as never)
        const again = readXml(once)
        expect(said(again)).toEqual(said(root))
        expect(canonicalBytes({ element: again, canonicalization } as never)).toEqual(once)
      }),
      { numRuns: 500 },
    )
  })
})

/** What a reader of ours can see of it. */
function said({ local, namespace, attributes, children }: XmlElement): unknown {
  const keys = attributes.map((one) => `{${one.namespace}}${one.local}=${one.value}`).sort()
  return [
    `{${namespace}}${local}`,
    keys,
    children.map((child) => (typeof child === "string" ? child : said(child))),
  ]
}
