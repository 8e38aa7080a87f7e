// A policy from a file of JSON. It says what differs from the strict one; what it does not name stays strict, and what we do
// not know is refused: a misspelt rule that nobody applies would be a rule that nobody has.

import { isDigestName } from "@paraph/pki/digest"
import { DEFAULT_POLICY } from "./default-policy.ts"
import {
  CURVE_NAMES,
  type CurveName,
  type Freshness,
  type KeySize,
  type Level,
  type Until,
  type ValidationPolicy,
} from "./policy.ts"

/** Says where in the file. */
export class PolicyRefused extends Error {
  constructor(path: string, wanted: string) {
    super(`${path === "" ? "The policy" : path} is not ${wanted}.`)
    this.name = "PolicyRefused"
  }
}

export function readPolicy(json: string): ValidationPolicy {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    throw new PolicyRefused("", "JSON")
  }
  return policy(given, "", DEFAULT_POLICY)
}

/** How one kind of value is read; `known` is what it is if nobody says otherwise. */
type Reader<T> = (given: unknown, path: string, known: T) => T

function group<T extends object>(readers: { readonly [Key in keyof T]-?: Reader<T[Key]> }): Reader<T> {
  return (given, path, known) => {
    const entries = entriesOf(given, path)
    const result = { ...known }
    for (const [key, value] of entries) {
      if (!Object.hasOwn(readers, key)) throw new PolicyRefused(`${path}/${key}`, "a rule that we know")
      const name = key as keyof T
      result[name] = readers[name](value, `${path}/${key}`, known[name])
    }
    return result
  }
}

function oneOf<T extends string>(...values: readonly T[]): Reader<T> {
  return (given, path) => {
    const found = values.find((value) => value === given)
    if (found === undefined) throw new PolicyRefused(path, `one of ${values.join(", ")}`)
    return found
  }
}

const level: Reader<Level> = oneOf("fail", "note", "ignore")

const until: Reader<Until> = (given, path) => {
  if (given === "for-now") return given
  if (typeof given === "string" && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)))
    return given
  throw new PolicyRefused(path, '"for-now" or a date such as 2029-01-01')
}

const keySizes: Reader<readonly KeySize[]> = (given, path) => {
  if (!Array.isArray(given)) throw new PolicyRefused(path, "a list")
  return given
    .map((one: unknown, i) => keySize(one, `${path}/${i}`, { bits: 0, until: "for-now" }))
    .toSorted((a, b) => a.bits - b.bits)
}

const count: Reader<number> = (given, path) => {
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= 0) return given
  throw new PolicyRefused(path, "a whole number")
}

const keySize: Reader<KeySize> = group<KeySize>({ bits: count, until })

const maxAge: Reader<Freshness["maxAge"]> = (given, path) => {
  if (given === "next-update" || given === "none") return given
  return group<{ hours: number }>({ hours: count })(given, path, { hours: 0 })
}

const freshness: Reader<Freshness> = group<Freshness>({ at: oneOf("validation", "use"), maxAge })

const digests: Reader<ValidationPolicy["algorithms"]["digests"]> = (given, path, known) => {
  const found = entriesOf(given, path).map(([name, value]) => {
    if (!isDigestName(name)) throw new PolicyRefused(`${path}/${name}`, "a digest that we know")
    return [name, until(value, `${path}/${name}`, "for-now")]
  })
  return { ...known, ...Object.fromEntries(found) }
}

const curves: Reader<readonly CurveName[]> = (given, path) => {
  if (!Array.isArray(given)) throw new PolicyRefused(path, "a list")
  return given.map((one: unknown, i) => oneOf(...CURVE_NAMES)(one, `${path}/${i}`, "P-256"))
}

const policy: Reader<ValidationPolicy> = group<ValidationPolicy>({
  name: (given, path) => {
    if (typeof given === "string" && given !== "" && given.length <= 100) return given
    throw new PolicyRefused(path, "a name")
  },
  algorithms: group<ValidationPolicy["algorithms"]>({
    digests,
    rsa: keySizes,
    rsaPss: keySizes,
    ecdsa: keySizes,
    curves,
    ed25519: (given, path, known) => (given === "never" ? "never" : until(given, path, known)),
  }),
  revocation: group<ValidationPolicy["revocation"]>({
    freshness: group({ signature: freshness, timestamp: freshness }),
    authoritiesOfTimestamps: level,
    issuerValidity: group({ signature: level, timestamp: level }),
    maxClockSkew: group({ minutes: count }),
  }),
  signature: group<ValidationPolicy["signature"]>({
    signingTime: level,
    signingTimeInCertificateValidity: level,
    signingCertificateAttribute: level,
    keyUsage: level,
  }),
  timestamp: group<ValidationPolicy["timestamp"]>({ signingCertificateAttribute: level }),
  changes: group<ValidationPolicy["changes"]>({ undefined: level, visual: level, filled: level }),
})

function entriesOf(given: unknown, path: string): readonly [string, unknown][] {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return Object.entries(given)
  throw new PolicyRefused(path, "an object")
}
