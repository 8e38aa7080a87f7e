// Files in which an operator names others: who signs for people, who says who they are, and which lists say whom to trust.

import { readProvidersFile } from "@paraph/gateways/csc-providers-file"
import { readIdentificationProviders } from "@paraph/gateways/identification-providers-file"
import { readListsFile } from "@paraph/gateways/trusted-lists-file"
import { sampleWorld } from "../sample-pki.ts"
import { must, type Target } from "../target.ts"
import { inText, json, Nothing, texts } from "../texts.ts"
import { besideFile, withFile } from "../with-file.ts"

const { root } = await sampleWorld()
const PEM = `-----BEGIN CERTIFICATE-----\n${Buffer.from(root.certificate.der).toString("base64")}\n-----END CERTIFICATE-----\n`
besideFile("secret", "s3cret\n")
besideFile("anchors.pem", PEM)

/** Either faults, or everything that was written: what is left out in silence is missed by nobody. */
function mustTellAll(rows: number, faults: readonly string[], found: number): void {
  must(faults.length > 0 || found === rows, "without a fault every row counts")
  must(
    faults.every((fault) => fault.length > 0),
    "a fault is a sentence",
  )
}

function rowsIn(input: Uint8Array): number {
  try {
    const rows: unknown = JSON.parse(inText(input))
    return Array.isArray(rows) ? rows.length : -1
  } catch {
    return -1
  }
}

const isWeb = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? "")

const CSC = {
  name: "acme",
  title: "Acme",
  baseUrl: "https://csc.example/v2",
  clientId: "us",
  clientSecretFile: "secret",
  legislation: "EIDAS",
  kind: "demo",
  anchorsFile: "anchors.pem",
}

export const cscProviderFiles: Target = {
  name: "csc-providers-file",
  kind: "json",
  words: [
    ...Object.keys(CSC),
    "secret",
    "anchors.pem",
    "input",
    "http://a.example",
    "EIDAS",
    "production",
    "../x",
    "a-b",
  ],
  seeds: () => [
    json([CSC]),
    json([CSC, { ...CSC, name: "other", baseUrl: "http://csc.internal" }]),
    json([CSC, CSC]),
    json({}),
    ...texts("["),
  ],
  refusals: [Nothing],
  run: (input) => {
    const { providers, faults } = withFile(input, (path) => readProvidersFile(path, ["csc.internal"]))
    mustTellAll(rowsIn(input), faults, providers.length)
    for (const { name, baseUrl, clientSecret, anchors, title } of providers) {
      must(/^[a-z0-9][a-z0-9-]{0,39}$/.test(name) && title.trim() !== "", "a name can stand in an address")
      must(isWeb(baseUrl) && clientSecret !== "" && anchors.length > 0, "a provider has all that it needs")
      must(
        baseUrl.toLowerCase().startsWith("https:") || URL.parse(baseUrl)?.hostname === "csc.internal",
        "by https, or named",
      )
    }
    if (faults.length > 0) throw new Nothing("faults")
    return `${providers.length}`
  },
}

const IDENTITY = {
  name: "ident",
  title: "Ident",
  kind: "production",
  issuer: "https://id.example",
  clientId: "us",
  clientSecretFile: "secret",
  userInfoAlgorithm: "ES256",
  trustFrameworks: ["eidas"],
  scopes: ["openid", "offline_access"],
  verifiedWithinDays: 30,
}

export const identityProviderFiles: Target = {
  name: "identity-providers-file",
  kind: "json",
  words: [
    ...Object.keys(IDENTITY),
    "acrValues",
    "assuranceLevels",
    "evidenceTypes",
    "RS256",
    "none",
    "http://id.internal",
    "openid",
  ],
  seeds: () => [
    json([IDENTITY]),
    json([IDENTITY, { ...IDENTITY, kind: "demo", acrValues: ["high"] }]),
    json([{ ...IDENTITY, issuer: "http://x" }]),
  ],
  refusals: [Nothing],
  run: (input) => {
    const { providers, faults } = withFile(input, (path) =>
      readIdentificationProviders(path, ["id.internal"]),
    )
    mustTellAll(rowsIn(input), faults, providers.length)
    for (const one of providers) {
      must(/^[a-z0-9][a-z0-9_-]{0,39}$/.test(one.name) && isWeb(one.issuer), "a name can stand in an address")
      must(
        one.issuer.toLowerCase().startsWith("https:") || URL.parse(one.issuer)?.hostname === "id.internal",
        "by https, or named",
      )
      must(
        /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519)$/.test(one.userInfoAlgorithm),
        "what it tells is signed by a key of its own",
      )
      must(one.trustFrameworks.length > 0 && one.scopes.includes("openid"), "it says what counts")
      const days = one.verifiedWithinDays
      must(days === null || (Number.isInteger(days) && days > 0), "days are a number")
    }
    if (faults.length > 0) throw new Nothing("faults")
    return `${providers.length}`
  },
}

const LIST = {
  law: "EU",
  form: "list-of-lists",
  address: "https://ec.example/lotl.xml",
  signersFile: "anchors.pem",
}

export const trustedListFiles: Target = {
  name: "trusted-lists-file",
  kind: "json",
  words: [...Object.keys(LIST), "copyFile", "secret", "anchors.pem", "list", "CH", "ftp://a.example", ""],
  seeds: () => [
    json([LIST]),
    json([{ ...LIST, law: "CH", form: "list", copyFile: "secret" }]),
    json([{ ...LIST, signersFile: "secret" }]),
    json([{}]),
  ],
  refusals: [Nothing],
  run: (input) => {
    const { sources, copies, faults } = withFile(input, readListsFile)
    mustTellAll(rowsIn(input), faults, sources.length)
    for (const { address, signers, law, form } of sources) {
      must(isWeb(address) && signers.length > 0, "a list has an address, and somebody who signs it")
      must(["EU", "CH"].includes(law) && ["list", "list-of-lists"].includes(form), "of a kind that we know")
      must(
        signers.every((der) => Buffer.compare(der, root.certificate.der) === 0),
        "its signers are those of the file",
      )
    }
    must(copies.size <= Math.max(0, rowsIn(input)), "a copy belongs to a list")
    if (faults.length > 0) throw new Nothing("faults")
    return `${sources.length} ${copies.size}`
  },
}
