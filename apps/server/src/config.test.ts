import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SIGNING_POINTS } from "@paraph/core/signature-request/make-mark"
import { describe, expect, it } from "vitest"
import { ConfigFaults, loadConfig, SETTINGS } from "./config.ts"

const HEX32 = "0f".repeat(32)
const pemOf = (type: "ed25519" | "x25519") =>
  generateKeyPairSync(type as "ed25519")
    .privateKey.export({ format: "pem", type: "pkcs8" })
    .toString()
const ENOUGH = {
  PUBLIC_URL: "https://sign.example",
  TRUSTED_PROXIES: "10.0.0.1",
  DATABASE_URL: "postgresql://localhost/paraph",
  S3_ENDPOINT: "http://localhost:9000",
  S3_BUCKET: "paraph",
  S3_ACCESS_KEY: "access",
  S3_SECRET_KEY: "secret",
  SCANNER_URL: "tcp://localhost:3310",
  SMTP_URL: "smtp://localhost",
  MAIL_FROM: "Paraph <no-reply@example.org>",
  PKCS11_MODULE: "/usr/lib/softhsm/libsofthsm2.so",
  PKCS11_DEMO_TOKEN: "demo",
  PKCS11_DEMO_PIN_FILE: "/run/secrets/pin",
  TIMESTAMP_URLS: "http://stamps.example/one,https://stamps.example/two",
  TRUST_ANCHORS_FILE: "/run/secrets/roots.pem",
  KEY_PEPPER: HEX32,
  KEK_FILE: "/run/secrets/kek",
  TOKEN_KEY: pemOf("ed25519"),
}

describe("the configuration", () => {
  it("needs no more than what must be given, and cannot be changed", () => {
    const config = loadConfig(ENOUGH)
    expect(config).toMatchObject({
      ...ENOUGH,
      TRUSTED_PROXIES: ["10.0.0.1"],
      TIMESTAMP_URLS: ["http://stamps.example/one", "https://stamps.example/two"],
      ROLES: ["api", "validation", "worker"],
      VALIDATION_BASE_URL: "",
      CREDITS_INCLUDED: "unlimited",
      PORT: 8080,
      SANDBOX: false,
      FAULT_POINT: "",
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it("of an empty environment names everything that must be given, at once, and nothing else", () => {
    const faults = faultsOf({})
    // Which proxies there are matters once it is known that the address is https.
    const { TRUSTED_PROXIES, ...given } = ENOUGH
    expect(faults.map((fault) => fault.replace(/ .*/s, "")).sort(byPlace)).toEqual(
      Object.keys(given).sort(byPlace),
    )
  })

  it("sends text messages to nobody until it is told to whom, and then needs to know by whom", () => {
    expect(loadConfig(ENOUGH)).toMatchObject({ SMS_COUNTRIES: [], SMS_URL: "" })
    const all = { SMS_COUNTRIES: "+41,+44,!+4470", SMS_URL: "https://sms.example/messages", SMS_TOKEN: "t" }
    expect(loadConfig({ ...ENOUGH, ...all, SMS_SENDER: "Acme 24" }).SMS_COUNTRIES).toEqual([
      "+41",
      "+44",
      "!+4470",
    ])
    // The api sends nothing itself.
    expect(loadConfig({ ...ENOUGH, ROLES: "api", SMS_COUNTRIES: "+41" }).SMS_COUNTRIES).toEqual(["+41"])
    const wrong = (more: Record<string, string>) => faultsOf({ ...ENOUGH, ...all, ...more }).join(" ")
    expect(wrong({ SMS_URL: "" })).toContain("SMS_URL must be given with SMS_COUNTRIES")
    expect(wrong({ SMS_TOKEN: "" })).toContain("SMS_TOKEN must be given with SMS_COUNTRIES")
    expect(wrong({ SMS_COUNTRIES: "" })).toContain("no number would be allowed")
    for (const countries of ["CH", "41", "+41 79", "*"])
      expect(wrong({ SMS_COUNTRIES: countries })).toContain("SMS_COUNTRIES must be prefixes")
    expect(wrong({ SMS_URL: "ftp://sms.example" })).toContain("https or http")
    for (const sender of ["Twelve letters", "Ümlaut", "+41"])
      expect(wrong({ SMS_SENDER: sender })).toContain("SMS_SENDER must be")
  })

  it("needs no bucket where a sandbox has a folder, and no folder anywhere else", () => {
    const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, ...less } = ENOUGH
    const folder = { ...less, DOCUMENTS_FOLDER: "/var/lib/paraph" }
    expect(loadConfig({ ...folder, SANDBOX: "true" }).DOCUMENTS_FOLDER).toBe("/var/lib/paraph")
    expect(faultsOf(folder)).toEqual([expect.stringContaining("sandbox only")])
  })

  it("needs of a key provider what that one needs, and no other's", () => {
    const { KEK_FILE, ...less } = ENOUGH
    const names = (more: object) => faultsOf({ ...less, ...more }).map((fault) => fault.replace(/ .*/s, ""))
    expect(names({ KEK_PROVIDER: "file" })).toEqual(["KEK_FILE"])
    expect(names({ KEK_PROVIDER: "pkcs11" })).toEqual(["PKCS11_KEK_TOKEN", "PKCS11_KEK_PIN_FILE"])
    expect(names({ KEK_PROVIDER: "transit" })).toEqual(["TRANSIT_URL", "TRANSIT_TOKEN_FILE"])
  })

  it("of an api needs neither the keys nor the mail server: it faces the world", () => {
    const ofWorker = Object.entries(SETTINGS).flatMap(([name, s]) => ("neededBy" in s ? [name] : []))
    expect(ofWorker).toContain("PKCS11_DEMO_PIN_FILE")
    const less = Object.fromEntries(Object.entries(ENOUGH).filter(([name]) => !ofWorker.includes(name)))
    expect(loadConfig({ ...less, ROLES: "api" }).SMTP_URL).toBe("")
    expect(faultsOf({ ...less, ROLES: "worker" })).toHaveLength(ofWorker.length)
  })

  it("of a worker needs somebody who stamps, at an address, and whom to trust; in a sandbox too", () => {
    const { TIMESTAMP_URLS, TRUST_ANCHORS_FILE, ...less } = ENOUGH
    for (const SANDBOX of ["false", "true"])
      expect(faultsOf({ ...less, SANDBOX })).toEqual([
        expect.stringContaining("TRUST_ANCHORS_FILE must be given to a worker"),
        expect.stringContaining("TIMESTAMP_URLS must be given to a worker"),
      ])
    for (const wrong of ["stamps.example", "ftp://stamps.example", "http://"])
      expect(faultsOf({ ...ENOUGH, TIMESTAMP_URLS: wrong })).toEqual([
        "TIMESTAMP_URLS must be addresses with http or https.",
      ])
  })

  it("names faults of every kind at once", () => {
    const faults = faultsOf({
      ...ENOUGH,
      LOG_LEVEL: "loud",
      PORT: "eighty",
      PUBLIC_URL: "http://sign.example",
      SANDBOX: "false",
      KEK: "short",
      KEY_PEPPER: `${HEX32}00`,
      S3_BUCKET: "",
      TOKEN_KEY: undefined,
      TOKEN_KEY_FILE: "/no/such/file",
      FAULT_POINT: "value-kept",
      PRODUCTION: "true",
      PKCS11_PRODUCTION_TOKEN: "production",
    })
    const expected = [
      /^PORT: not a whole number from 0 to 65535$/,
      /^S3_BUCKET must be given unless DOCUMENTS_FOLDER is\. /,
      /^TOKEN_KEY: .*\/no\/such\/file/,
      /^LOG_LEVEL: not one of /,
      /^PUBLIC_URL must be https/,
      /^FAULT_POINT is for the sandbox only\.$/,
      /^PKCS11_PRODUCTION_PIN_FILE must be given/,
      /^KEY_PEPPER: not 32 bytes in hex$/,
      /^KEK: not 32 bytes in hex$/,
    ]
    expect(faults).toHaveLength(expected.length)
    for (const pattern of expected) expect(faults.filter((fault) => pattern.test(fault))).toHaveLength(1)
  })

  it("[R40] never repeats a secret in a fault", () => {
    const told = faultsOf({ ...ENOUGH, KEK: "a canary", TOKEN_KEY: "a canary", S3_BUCKET: "" }).join("\n")
    expect(told).not.toContain("canary")
  })

  it("has a sentence for each setting", () => {
    for (const [name, { about }] of Object.entries(SETTINGS)) expect(about, name).toMatch(/^\S.*[.)]$/)
  })
})

describe("a secret", () => {
  const file = join(mkdtempSync(join(tmpdir(), "paraph-config-")), "pepper")
  writeFileSync(file, `${HEX32.replaceAll("0f", "ab")}\n`)

  it("[R40] is read from the file that NAME_FILE names, without the line end", () => {
    const config = loadConfig({ ...ENOUGH, KEY_PEPPER: undefined, KEY_PEPPER_FILE: file })
    expect(config.KEY_PEPPER).toBe("ab".repeat(32))
  })

  it("given both ways is the one of NAME", () => {
    expect(loadConfig({ ...ENOUGH, KEY_PEPPER_FILE: file }).KEY_PEPPER).toBe(HEX32)
  })

  it("in an empty variable counts as absent", () => {
    const config = loadConfig({ ...ENOUGH, KEY_PEPPER: "", KEY_PEPPER_FILE: file })
    expect(config.KEY_PEPPER).toBe("ab".repeat(32))
    expect(faultsOf({ ...ENOUGH, KEY_PEPPER: "" })).toEqual([
      expect.stringMatching(/^KEY_PEPPER must be given/),
    ])
  })
})

describe("the operator's key in a file", () => {
  const file = join(mkdtempSync(join(tmpdir(), "paraph-config-")), "kek")
  writeFileSync(file, "ab".repeat(32))

  it("[B6] is a path to this process, whatever the file holds or lacks", () => {
    const config = loadConfig({ ...ENOUGH, KEK_FILE: file, KEK_EARLIER_FILE: "/no/such/file" })
    expect(config).toMatchObject({
      KEK: "",
      KEK_FILE: file,
      KEK_EARLIER: [],
      KEK_EARLIER_FILE: "/no/such/file",
    })
    expect(JSON.stringify(config)).not.toContain("ab".repeat(32))
  })

  it("[B6] is refused in the environment outside of a sandbox", () => {
    expect(faultsOf({ ...ENOUGH, KEK: HEX32, KEK_EARLIER: HEX32 })).toEqual([
      "KEK is for the sandbox only: give the path of its file in KEK_FILE.",
      "KEK_EARLIER is for the sandbox only: give the path of its file in KEK_EARLIER_FILE.",
    ])
    const { KEK_FILE, ...less } = ENOUGH
    expect(loadConfig({ ...less, KEK: HEX32, SANDBOX: "true" }).KEK).toBe(HEX32)
  })
})

describe("PUBLIC_URL", () => {
  it("is kept as an origin", () => {
    expect(loadConfig({ ...ENOUGH, PUBLIC_URL: "https://Sign.Example:443/" }).PUBLIC_URL).toBe(
      "https://sign.example",
    )
  })

  it("is plain http in the sandbox only", () => {
    const plain = { ...ENOUGH, PUBLIC_URL: "http://localhost:8080" }
    expect(faultsOf(plain)).toEqual(["PUBLIC_URL must be https, unless SANDBOX is true."])
    expect(loadConfig({ ...plain, SANDBOX: "true" }).PUBLIC_URL).toBe("http://localhost:8080")
  })

  it.each(["sign.example", "https://sign.example/app", "ftp://sign.example", "javascript:alert(1)"])(
    "is not %s",
    (url) => {
      expect(faultsOf({ ...ENOUGH, PUBLIC_URL: url })).toEqual(["PUBLIC_URL: not an address without a path"])
    },
  )
})

describe("VALIDATION_BASE_URL", () => {
  it("is another host, by https", () => {
    const given = (url: string) => ({ ...ENOUGH, VALIDATION_BASE_URL: url })
    expect(loadConfig(given("https://validation.example/")).VALIDATION_BASE_URL).toBe(
      "https://validation.example",
    )
    expect(faultsOf(given("http://validation.example"))).toEqual([
      "VALIDATION_BASE_URL must be https, unless SANDBOX is true.",
    ])
    expect(faultsOf(given(ENOUGH.PUBLIC_URL))).toEqual([
      "VALIDATION_BASE_URL must be another address than PUBLIC_URL, or empty.",
    ])
    expect(faultsOf(given("https://validation.example/v1"))).toHaveLength(1)
  })
})

describe("CREDITS_INCLUDED", () => {
  it("is a whole number or unlimited", () => {
    expect(loadConfig({ ...ENOUGH, CREDITS_INCLUDED: "0" }).CREDITS_INCLUDED).toBe(0)
    expect(loadConfig({ ...ENOUGH, CREDITS_INCLUDED: "unlimited" }).CREDITS_INCLUDED).toBe("unlimited")
    for (const wrong of ["many", "-1", "1.5"])
      expect(faultsOf({ ...ENOUGH, CREDITS_INCLUDED: wrong })).toHaveLength(1)
  })
})

describe("TRUSTED_PROXIES", () => {
  it("must be given to an api or a validation that is reached by https, and to nobody else", () => {
    const { TRUSTED_PROXIES, ...less } = ENOUGH
    expect(faultsOf(less)).toEqual([expect.stringMatching(/^TRUSTED_PROXIES must name the proxy/)])
    expect(faultsOf({ ...less, ROLES: "validation" })).toHaveLength(1)
    expect(loadConfig({ ...less, ROLES: "worker" }).TRUSTED_PROXIES).toEqual([])
    const plain = { ...less, PUBLIC_URL: "http://localhost:8080", SANDBOX: "true" }
    expect(loadConfig(plain).TRUSTED_PROXIES).toEqual([])
  })
})

describe("the authority", () => {
  it.each([
    ["CA_URL", "https://pki.example", "plain http"],
    ["CA_URL", "http://pki.example/path", "without a path"],
    ["CA_POLICY", "1.2.x", "object identifier"],
    ["CA_POLICY", "1.02.3", "object identifier"],
    ["CERTIFICATE_ROLL_DAYS", "90", "1 to 60"],
    ["PRODUCTION_ISSUER", "est", "EST_URL must be given"],
    ["EST_CERTIFICATE_FILE", "/run/secrets/est.pem", "given together"],
    ["EST_URL", "ca.example", "no address"],
  ])("does not take %s %s", (name, value, told) => {
    expect(faultsOf({ ...ENOUGH, [name]: value }).join()).toContain(told)
  })

  it("takes an address by plain http, a policy or none, and asks an api for nothing of EST", () => {
    const given = { ...ENOUGH, CA_URL: "http://pki.example", CA_POLICY: "none" }
    expect(loadConfig(given)).toMatchObject({ CA_URL: "http://pki.example", CA_POLICY: "none" })
    expect(loadConfig({ ...ENOUGH, ROLES: "api", PRODUCTION_ISSUER: "est" }).EST_URL).toBe("")
  })
})

it.each(["CLOCK_FILE", "KEYS_FOLDER", "SEED"] as const)(
  "%s may be given in the sandbox, and nowhere else",
  (name) => {
    const given = { ...ENOUGH, [name]: "/tmp/it" }
    expect(loadConfig({ ...given, SANDBOX: "true" })[name]).toBe("/tmp/it")
    expect(faultsOf(given)).toEqual([`${name} is for the sandbox only.`])
  },
)

it("a sandbox with its keys in a folder does without tokens", () => {
  const { PKCS11_MODULE, PKCS11_DEMO_TOKEN, PKCS11_DEMO_PIN_FILE, ...rest } = ENOUGH
  const given = { ...rest, SANDBOX: "true", PRODUCTION: "true" }
  expect(loadConfig({ ...given, KEYS_FOLDER: "/tmp/keys" }).KEYS_FOLDER).toBe("/tmp/keys")
  expect(faultsOf(given).join()).toContain("PKCS11_MODULE")
})

describe("FAULT_POINT", () => {
  it.each(SIGNING_POINTS)("may be %s in the sandbox, and nowhere else", (point) => {
    expect(loadConfig({ ...ENOUGH, SANDBOX: "true", FAULT_POINT: point }).FAULT_POINT).toBe(point)
    expect(faultsOf({ ...ENOUGH, FAULT_POINT: point })).toEqual(["FAULT_POINT is for the sandbox only."])
  })

  it("may be nothing but a point that exists", () => {
    expect(faultsOf({ ...ENOUGH, SANDBOX: "true", FAULT_POINT: "anywhere" })).toEqual([
      expect.stringMatching(/^FAULT_POINT: not one of .*\bintent-kept, /),
    ])
  })
})

it.each([
  ["SANDBOX", "yes"],
  ["SANDBOX", "TRUE"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["PORT", "0x50"],
  ["PORT", "65536"],
  ["DATABASE_CONNECTIONS", "ten"],
  ["DATABASE_CONNECTIONS", "0"],
  ["LOG_LEVEL", "loud"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["OTEL_TRACES_SAMPLER_ARG", "some"],
  ["SECURITY_CONTACT", "security@example.org"],
  ["SECURITY_CONTACT", "mailto:security@example.org,http://example.org/security"],
  ["V1_SUNSET", "soon"],
  ["V1_SUNSET", "2027-13-01"],
  ["V1_SUNSET", "2027-02-30"],
  ["WRITES_PER_KEY", "0"],
  ["ROLES", ","],
  ["ROLES", "api,cook"],
  ["KEK", "short"],
  ["TOKEN_KEY", "no PEM at all"],
  ["TOKEN_KEY", pemOf("x25519")],
])("%s refuses a value that would break later (%#)", (name, value) => {
  expect(faultsOf({ ...ENOUGH, [name]: value })).toHaveLength(1)
})

it("a list is read without the blanks around its entries", () => {
  const { ROLES, TRUSTED_PROXIES } = loadConfig({
    ...ENOUGH,
    ROLES: " worker , api,",
    TRUSTED_PROXIES: "10.0.0.0/8",
  })
  expect(ROLES).toEqual(["api", "worker"])
  expect(TRUSTED_PROXIES).toEqual(["10.0.0.0/8"])
})

const byPlace = (a: string, b: string) => Object.keys(SETTINGS).indexOf(a) - Object.keys(SETTINGS).indexOf(b)

function faultsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults
    throw error
  }
}

it("the way back for mails is an address with a place for the id, and is there before anybody listens for them", () => {
  const at = { BOUNCE_LISTEN: "127.0.0.1:2525" }
  for (const MAIL_BOUNCE_ADDRESS of ["bounces+{id}@example.org", "{id}@bounces.example.org"])
    expect(faultsOf({ ...ENOUGH, ...at, MAIL_BOUNCE_ADDRESS })).toEqual([])
  for (const MAIL_BOUNCE_ADDRESS of [
    "bounces@example.org",
    "a@{id}.example.org",
    "Paraph <{id}@example.org>",
    `${"a".repeat(23)}{id}@example.org`,
    `${"a".repeat(12)}{id}${"b".repeat(11)}@example.org`,
    "{id}+{id}@example.org",
  ])
    expect(faultsOf({ ...ENOUGH, MAIL_BOUNCE_ADDRESS })).toEqual([
      expect.stringMatching(/^MAIL_BOUNCE_ADDRESS /),
    ])
  expect(faultsOf({ ...ENOUGH, ...at })).toEqual([expect.stringMatching(/^BOUNCE_LISTEN needs /)])
  expect(faultsOf({ ...ENOUGH, MAIL_BOUNCE_ADDRESS: "{id}@example.org", BOUNCE_LISTEN: "2525" })).toEqual([
    "BOUNCE_LISTEN must be host:port.",
  ])
})
