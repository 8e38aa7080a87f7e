// Trusted lists that our generator makes, judged by the JDK: valid by the schema of ETSI TS 119 612, and their signatures
// verify. And Canonical XML, compared document by document.

import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type KeyKind, newRoot } from "../../packages/validation/src/testing/keys.ts"
import { type SigningOrder, signList } from "../../packages/validation/src/testing/list-signer.ts"
import { CRITERIA } from "../../packages/validation/src/testing/list-writer.ts"
import {
  nationalList,
  newTrustWorld,
  signedLists,
  type TrustWorld,
  usualServices,
} from "../../packages/validation/src/testing/trust-world.ts"
import { WRONG_LISTS } from "../../packages/validation/src/testing/wrong-lists.ts"
import { canonicalBytes } from "../../packages/validation/src/trusted-list/canonical-xml.ts"
import { readXml } from "../../packages/validation/src/trusted-list/xml-reader.ts"

type Verdict = {
  readonly file: string
  readonly schema: string
  readonly signature: string
  readonly exclusive: string
  readonly inclusive: string
}

const run = promisify(execFile)
const LIBRARIES = resolve(import.meta.dirname, "../../.tools/java-oracles/lib/*")
const JUDGE = resolve(import.meta.dirname, "trusted-list/ListJudge.java")

let folder: string
let world: TrustWorld

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paraph-lists-"))
  world = await newTrustWorld()
})

afterAll(() => rmSync(folder, { recursive: true }))

async function judge(documents: readonly Uint8Array[]): Promise<readonly Verdict[]> {
  const files = documents.map((bytes, at) => {
    const file = join(folder, `${at}.xml`)
    writeFileSync(file, bytes)
    return file
  })
  const { stdout } = await run("java", ["-cp", LIBRARIES, JUDGE, ...files], { maxBuffer: 10_000_000 })
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe("lists of the generator", () => {
  it("are valid by the schema, and their signatures verify", async () => {
    const ways: readonly (Partial<SigningOrder> & { readonly kind?: KeyKind })[] = [
      { digest: "sha512" },
      { canonicalization: "inclusive" },
      { propertiesTransform: false },
      { isOldReference: true },
      { kind: "P-384", digest: "sha384" },
      { kind: "RSA" },
      { kind: "RSA", digest: "sha512" },
    ]
    const rich = usualServices(world.AT).map((service) => ({
      ...service,
      qualifications: [
        {
          qualifiers: ["QCWithQSCD", "QCForESig"],
          criteria: CRITERIA.list(
            "all",
            CRITERIA.keyUsage({ nonRepudiation: true }),
            CRITERIA.policies("1.2.3"),
            CRITERIA.list("none", CRITERIA.policies("1.2.4")),
          ),
        },
      ],
      history: [{ type: service.type, status: "undersupervision", from: new Date("2012-01-01T00:00:00Z") }],
    }))
    const signed = await Promise.all(
      ways.map(async ({ kind = "P-256", ...how }) =>
        signList(nationalList(world, "AT", rich), {
          signer: await newRoot({ name: "Operator", kind }),
          ...how,
        }),
      ),
    )
    const verdicts = await judge([...signedLists(world).values(), ...signed])
    expect(verdicts).toHaveLength(11)
    for (const { schema, signature } of verdicts) expect([schema, signature]).toEqual(["valid", "valid"])
  })

  it("that were changed after signing verify for nobody", async () => {
    const changed = WRONG_LISTS.filter(({ reason }) => reason === "changed" || reason === "bad-signature")
    const verdicts = await judge(await Promise.all(changed.map(({ make }) => make(world))))
    for (const { signature } of verdicts) expect(signature).not.toBe("valid")
    expect(verdicts.length).toBeGreaterThan(5)
  })
})

describe("Canonical XML", () => {
  it("is what the JDK makes of the same documents", async () => {
    const documents = [
      '<a xmlns="urn:1" xmlns:x="urn:2"><x:b x:c="1" d="2" xmlns:y="urn:3"><c y:z=""/></x:b><d xmlns=""><e/></d></a>',
      '<x:a xmlns:x="urn:1"><x:b xmlns:x="urn:2"><x:c xmlns:x="urn:1"/></x:b><x:b/></x:a>',
      '<a c="3" xmlns:z="urn:1" z:b="2" a="1" xmlns:y="urn:2" y:a="0" xml:lang="en" xml:space="preserve"/>',
      "<a b='&lt;>&amp;&quot;&#13;&#10;&#9;x\ty\nz'>&lt;&gt;&amp;&quot;&#13;&#10;&#9;\r\n\r<![CDATA[<&>]]>]]&gt;</a>",
      "<!-- 1 --><a><!-- 2 -->b<!-- 3 -->c<d/>é😀\u0085\u2028</a><!-- 4 -->",
      '<a ä="2" z="1" xmlns:ö="urn:ä" xmlns:y="urn:z" ö:b="1" y:b="2" Z="3"/>',
      '<a xmlns="urn:1"><b xmlns="urn:1"><c xmlns=""><d xmlns=""/><e xmlns="urn:1"/></c></b></a>',
      ...[...signedLists(world).values()].map((bytes) => Buffer.from(bytes).toString("utf8")),
    ].map((text) => new Uint8Array(Buffer.from(text)))
    const verdicts = await judge(documents)
    for (const [at, bytes] of documents.entries()) {
      const element = readXml(bytes)
      const ours = {
        exclusive: sha256(
          canonicalBytes({ element, canonicalization: { method: "exclusive", prefixes: [] } }),
        ),
        inclusive: sha256(canonicalBytes({ element, canonicalization: { method: "inclusive" } })),
      }
      expect(verdicts[at]).toMatchObject(ours)
    }
  })
})
