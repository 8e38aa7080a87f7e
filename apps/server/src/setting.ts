import { createPrivateKey } from "node:crypto"
import type { Witness } from "@paraph/gateways/witness"
import { readVerifierKey } from "@paraph/tlog/note-key"

/** One setting: how its text is read, what it is when absent, and a sentence for the people who set it. */
export type Setting<T> = {
  /** Throws a sentence that ends "… is not a port" and the like. */
  readonly read: (text: string) => T
  /** `undefined` means that the setting must be given. */
  readonly fallback: T | undefined
  readonly about: string
  /** NAME_FILE is a setting of its own: a path, whose file another process reads. */
  readonly inPlace?: true
  /** Needed by a process with this role alone. */
  readonly neededBy?: "worker"
}

export const text = (fallback: string | undefined, about: string): Setting<string> => ({
  read: (given) => given,
  fallback,
  about,
})

export const ofWorker = (about: string): Setting<string> => ({ ...text("", about), neededBy: "worker" })

export const integer = (fallback: number, about: string, least = 0, most = 999_999_999): Setting<number> => ({
  read: (given) => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
    if (!(value >= least && value <= most)) throw new Error(`not a whole number from ${least} to ${most}`)
    return value
  },
  fallback,
  about,
})

export const port = (fallback: number, about: string): Setting<number> => integer(fallback, about, 0, 65_535)

export const share = (fallback: number, about: string): Setting<number> => ({
  read: (given) => {
    const value = /^\d*\.?\d+$/.test(given) ? Number(given) : Number.NaN
    if (!(value >= 0 && value <= 1)) throw new Error("not a number from 0 to 1")
    return value
  },
  fallback,
  about,
})

export const list = (fallback: string, about: string): Setting<readonly string[]> => {
  const read = (given: string) => given.split(",").flatMap((item) => item.trim() || [])
  return { read, fallback: read(fallback), about }
}

export const witnesses = (about: string): Setting<readonly Witness[]> => ({
  read: (given) =>
    list("", "")
      .read(given)
      .map((one) => {
        const [told = "", url = "", ...rest] = one.split(" ")
        if (rest.length > 0 || !/^https?:/.test(url) || !URL.canParse(url))
          throw new Error("not a list of keys and addresses")
        const key = readVerifierKey(told)
        if (key.type !== "cosignature") throw new Error("not a list of keys of witnesses")
        return { url, key }
      }),
  fallback: [],
  about,
})

export const someOf = <const T extends string>(
  values: readonly T[],
  about: string,
  fallback: readonly T[] = values,
): Setting<readonly T[]> => ({
  read: (given) => {
    const chosen = list("", "").read(given)
    const known = values.filter((value) => chosen.includes(value))
    if (known.length === 0 || known.length !== chosen.length)
      throw new Error(`not some of ${values.join(", ")}`)
    return known
  },
  fallback,
  about,
})

export const oneOf = <const T extends string>(
  values: readonly T[],
  fallback: T,
  about: string,
): Setting<T> => ({
  read: (given) => {
    const value = values.find((known) => known === given)
    if (value === undefined) throw new Error(`not one of ${values.filter(Boolean).join(", ")}`)
    return value
  },
  fallback,
  about,
})

export const bool = (fallback: boolean, about: string): Setting<boolean> => ({
  read: (given) => {
    if (given !== "true" && given !== "false") throw new Error("neither true nor false")
    return given === "true"
  },
  fallback,
  about,
})

/** A day such as 2027-12-31; absent unless given. */
export const optionalDay = (about: string): Setting<string> => ({
  read: (given) => {
    const ms = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN
    // What rolls over into the next month is another day than the one that was written.
    if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(given))
      throw new Error("not a day such as 2027-12-31")
    return given
  },
  fallback: "",
  about,
})

/** An address without a path, as an origin. */
export const origin = (about: string): Setting<string> => ({
  read: (given) => {
    const url = URL.parse(given)
    if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.username !== "")
      throw new Error("not an address without a path")
    return url.origin
  },
  fallback: undefined,
  about,
})

export const optionalOrigin = (about: string): Setting<string> => ({ ...origin(about), fallback: "" })

/** RFC 9116, 2.5.3: an address to write to, an https page or a telephone number, as a URI; one or several. */
export const contacts = (about: string): Setting<readonly string[]> => ({
  read: (given) => {
    const found = list("", "").read(given)
    const isOne = (uri: string) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(uri)
    if (!found.every(isOne)) throw new Error("not a mailto:, https: or tel: address, or several with commas")
    return found
  },
  fallback: [],
  about,
})

/** A whole number, or the word `unlimited`, which it is unless given. */
export const amount = (about: string): Setting<number | "unlimited"> => ({
  read: (given) => (given === "unlimited" ? given : integer(0, "").read(given)),
  fallback: "unlimited",
  about,
})

/** Given as NAME_FILE in production; NAME itself is for trying out. */
export const secret = (
  about: string,
  read: (given: string) => string = (given) => given,
): Setting<string> => ({
  read,
  fallback: undefined,
  about: `${about} Give it as a file (…_FILE).`,
})

export const secretBytes = (about: string): Setting<string> => secret(about, hexOf32Bytes)

/** Needed in some configurations only; `faultsOf` says in which. */
export const optionalSecret = (
  about: string,
  read: (given: string) => string = (given) => given,
): Setting<string> => ({ ...secret(about, read), fallback: "" })

const hexOf32Bytes = (given: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(given)) throw new Error("not 32 bytes in hex")
  return given
}

export const optionalSecretBytes = (about: string): Setting<string> => optionalSecret(about, hexOf32Bytes)

export const optionalSecretBytesList = (about: string): Setting<readonly string[]> => ({
  read: (given) => list("", "").read(given).map(hexOf32Bytes),
  fallback: [],
  about: `${about} Give it as a file (…_FILE).`,
})

export const ed25519Key = (about: string): Setting<string> =>
  secret(about, (given) => {
    if (typeOfKey(given) !== "ed25519") throw new Error("not an Ed25519 private key in PEM")
    return given
  })

export const optionalEd25519Key = (about: string): Setting<string> => ({ ...ed25519Key(about), fallback: "" })

/** Never read from the file that NAME_FILE names. */
export const inPlace = <T>(setting: Setting<T>): Setting<T> => ({
  ...setting,
  about: setting.about.replace(" Give it as a file (…_FILE).", ""),
  inPlace: true,
})

/** Several in one text, as `cat` puts them together. */
export const ed25519Keys = (about: string): Setting<readonly string[]> => ({
  read: (given) => {
    const found = given.match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g) ?? []
    if (found.length === 0 || !found.every((pem) => typeOfKey(pem) === "ed25519"))
      throw new Error("not Ed25519 private keys in PEM")
    return found
  },
  fallback: [],
  about: `${about} Give it as a file (…_FILE).`,
})

function typeOfKey(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType
  } catch {
    // Its own message could show a piece of the key.
    return undefined
  }
}
