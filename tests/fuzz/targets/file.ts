// What operators and people write by hand, or carry from one machine to another: settings, policies, backups, and what is typed
// behind a command.

import { writeFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import { PolicyRefused, readPolicy } from "@paraph/validation/read-policy"
import { listedIn, placeOf, readManifest } from "../../../apps/cli/src/backup/copy.ts"
import { COMMANDS } from "../../../apps/cli/src/commands.ts"
import { Failed } from "../../../apps/cli/src/failed.ts"
import { NotUnderstood } from "../../../apps/cli/src/not-understood.ts"
import { optionsIn, typed } from "../../../apps/cli/src/synopsis.ts"
import { ConfigFaults, loadConfig, SETTINGS } from "../../../apps/server/src/config.ts"
import { must, type Target } from "../target.ts"
import { firstLine, inText, json, Nothing, texts } from "../texts.ts"
import { withFile } from "../with-file.ts"

/** What is said of the input begins with a piece of it. */
function told<T>(refusal: abstract new (...args: never[]) => Error, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof refusal) throw new Nothing(error.message.split(" ").slice(-3).join(" "))
    throw error
  }
}

const POLICY_WORDS = [
  ...Object.keys(DEFAULT_POLICY),
  "algorithms",
  "digests",
  "rsa",
  "bits",
  "until",
  "for-now",
  "fail",
  "ignore",
  "2029-02-30",
]

export const policies: Target = {
  name: "policy",
  kind: "json",
  words: POLICY_WORDS,
  seeds: () => [
    json(DEFAULT_POLICY),
    json({
      name: "ours",
      algorithms: { digests: { sha1: "2020-01-01" }, rsa: [{ bits: 3000, until: "for-now" }] },
    }),
    json({
      signature: { keyUsage: "note" },
      revocation: { freshness: { signature: { maxAge: { hours: 24 } } } },
    }),
    json({ misspelt: 1 }),
  ],
  refusals: [Nothing],
  run: (input) => {
    const policy = told(PolicyRefused, () => readPolicy(inText(input)))
    must(
      isDeepStrictEqual(readPolicy(JSON.stringify(policy)), policy),
      "a policy that is written is read so again",
    )
    must(
      isDeepStrictEqual(Object.keys(policy).sort(), Object.keys(DEFAULT_POLICY).sort()),
      "every rule is there, and no other",
    )
    const given: object = JSON.parse(inText(input))
    for (const rule of ["signature", "changes", "revocation"] as const)
      if (!Object.hasOwn(given, rule))
        must(isDeepStrictEqual(policy[rule], DEFAULT_POLICY[rule]), "what it does not name stays strict")
    return `${isDeepStrictEqual(policy, DEFAULT_POLICY)} ${Object.keys(given).length}`
  },
}

/** Of which some are needed whatever else is said. */
const ENVIRONMENT = [
  "ROLES=api",
  "SANDBOX=true",
  "PUBLIC_URL=https://sign.example",
  "DATABASE_URL=postgres://a@b/c",
  "DOCUMENTS_FOLDER=/tmp/d",
  `KEY_PEPPER=${"cd".repeat(32)}`,
  "TRUSTED_PROXIES=10.0.0.1",
  "SCANNER_URL=none",
].join("\n")

/** The same in earnest, with a bucket. */
const EARNEST = [
  ENVIRONMENT.replace(/(?:SANDBOX|DOCUMENTS_FOLDER)=.*\n/g, ""),
  "S3_ENDPOINT=https://s3.example",
  "S3_BUCKET=documents",
  "S3_ACCESS_KEY=a",
  "S3_SECRET_KEY=b",
].join("\n")

export const configurations: Target = {
  name: "configuration",
  kind: "words",
  words: [
    ...Object.keys(SETTINGS).map((name) => `\n${name}=`),
    "_FILE=",
    "true",
    "false",
    "0",
    "65536",
    ",",
    "https://a.example/x",
    "http://a.example",
    "unlimited",
  ],
  seeds: () =>
    texts(
      ENVIRONMENT,
      `${ENVIRONMENT}\nPORT=8080\nLOG_LEVEL=warn`,
      `${EARNEST}\nCA_POLICY=1.2.3.4`,
      EARNEST.replace("https://sign", "http://sign"),
    ),
  refusals: [Nothing],
  run: (input) => {
    const lines = inText(input)
      .split("\n")
      .map((line) => line.split(/=(.*)/s))
    // Files of this machine are nobody's input here.
    const given = lines.filter(([name = ""]) => !name.endsWith("_FILE"))
    const env = Object.fromEntries(given.map(([name = "", value = ""]) => [name, value]))
    const key = { KEK_FILE: "/run/secrets/kek", ...("TOKEN_KEY" in env ? {} : { TOKEN_KEY }) }
    try {
      const config = loadConfig({ ...env, ...key })
      for (const [name, value] of Object.entries(config)) {
        must(value !== undefined, `${name} has a value`)
        if (typeof value === "number") must(Number.isFinite(value) && value >= 0, "a number is one")
      }
      must(
        isDeepStrictEqual(Object.keys(config).sort(), Object.keys(SETTINGS).sort()),
        "every setting is there, and no other",
      )
      must(isDeepStrictEqual(loadConfig({ ...env, ...key }), config), "it is read so again")
      must(config.PUBLIC_URL === new URL(config.PUBLIC_URL).origin, "our address is an origin")
      must(
        config.SANDBOX || config.PUBLIC_URL.startsWith("https:"),
        "outside of a sandbox we are reached by https",
      )
      return `${config.SANDBOX} ${config.ROLES.join()}`
    } catch (error) {
      if (!(error instanceof ConfigFaults)) throw error
      must(
        error.faults.length > 0 && !error.message.includes("ab".repeat(32)),
        "faults are told, and no secret with them",
      )
      throw new Nothing(`${Math.min(5, error.faults.length)} faults`)
    }
  },
}

const TOKEN_KEY = `-----BEGIN PRIVATE KEY-----\n${Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 3)]).toString("base64")}\n-----END PRIVATE KEY-----\n`

const USAGES = Object.values(COMMANDS).map(({ usage }) => usage)

/** Which command, and then one word in each line. */
export const commandLines: Target = {
  name: "command-line",
  kind: "words",
  words: [
    "\n",
    "--",
    "-",
    "--json",
    "--json=true",
    "--no-json",
    "--port",
    "--to=a@b.ch",
    "--to",
    "--folder",
    "-h",
    "=",
    "--__proto__",
    "--port=1",
  ],
  seeds: () =>
    texts(
      "0\n--port\n8080\n--json",
      "2\na.pdf\n--to\na@b.ch\n--to=c@d.ch",
      "5\n--unknown",
      "3\nid",
      "0\n--\n--json",
    ),
  refusals: [Nothing],
  run: (input) => {
    const [which, rest] = firstLine(input)
    const usage = USAGES[Math.abs(Number.parseInt(which, 10) || 0) % USAGES.length] ?? ""
    const words = inText(rest) === "" ? [] : inText(rest).split("\n")
    const { values, positionals } = told(NotUnderstood, () => typed(usage, words))
    const options = optionsIn(usage)
    for (const [name, value] of Object.entries(values)) {
      const option = options.find((one) => one.name === name)
      must(option !== undefined, "only what its usage names is read")
      if (option?.value === null) must(value === true, "a switch is on, or not there")
      else
        must(
          [value].flat().every((one) => typeof one === "string"),
          "a value is a text",
        )
      must(Array.isArray(value) === (option?.value !== null && option?.many === true), "many are a list")
    }
    must(
      positionals.every((one) => words.includes(one)),
      "words are those that were typed",
    )
    must(Object.getPrototypeOf(Object.assign({}, values)) === Object.prototype, "it is plain data")
    return `${Object.keys(values).join()} ${Math.min(3, positionals.length)}`
  },
}

const SUM = "ab".repeat(32)
const OBJECT = placeOf("documents/00ab")

const MANIFEST = {
  format: "paraph-backup/1",
  at: "2026-11-16T12:00:00.000Z",
  database: { bytes: 1, sha256: SUM },
  objects: { bytes: 1, sha256: SUM, count: 1, objectBytes: 1 },
  missing: [],
  "not-included": [],
}

export const backupManifests: Target = {
  name: "backup-manifest",
  kind: "json",
  words: [...Object.keys(MANIFEST), "bytes", "sha256", "count", SUM],
  seeds: () => [json(MANIFEST), json({ ...MANIFEST, format: "x" }), json(null), ...texts("{")],
  refusals: [Failed],
  run: (input) =>
    withFile(input, async (path) => {
      writeFileSync(join(dirname(path), "manifest.json"), input)
      const { database, objects, missing } = await readManifest(dirname(path))
      must(
        [database, objects].every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)),
        "a sum is a sum",
      )
      must(Number.isSafeInteger(objects.count), "objects are counted")
      must(
        missing.every((name) => typeof name === "string"),
        "names are names",
      )
      return `${missing.length}`
    }).catch((error: unknown) => {
      // The sentence names the folder.
      throw error instanceof Failed ? new Failed("no whole backup") : error
    }),
}

export const backupLists: Target = {
  name: "backup-list",
  kind: "words",
  words: [SUM, "  objects/", "objects/ab/", "..", "../", "/", "\n", " *", "documents/", "."],
  seeds: () => texts(`${SUM}  ${OBJECT}\n`, `${SUM}  ${OBJECT}\n${SUM}  ${OBJECT}\r\n`, `${SUM} *x\n`, ""),
  refusals: [Failed, Nothing],
  run: (input) =>
    withFile(input, async (path) => {
      writeFileSync(join(dirname(path), "objects.sha256"), input)
      let count = 0
      for await (const { name, sha256 } of listedIn(dirname(path))) {
        must(/^[0-9a-f]{64}$/.test(sha256), "a sum is a sum")
        const place = placeOf(name)
        must(normalize(place) === place && place.startsWith("objects/"), "no name leads out of the folder")
        count += 1
      }
      if (count === 0) throw new Nothing("no objects")
      return `${Math.min(3, count)}`
    }),
}
