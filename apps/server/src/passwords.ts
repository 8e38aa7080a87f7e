import { argon2, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import type { Passwords } from "@paraph/core/account/ports"
import { accountOwner } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import { createQueue } from "@paraph/gateways/fair-queue"
import type { Pepper, Peppers } from "./peppers.ts"

const derive = promisify(argon2)

/** OWASP's first choice of today for argon2id: 19 MiB, two passes, one lane (ADR 0030). */
const TODAY: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

const SALT_BYTES = 16
const HASH_BYTES = 32
/** So many at a time, whoever asks: 38 MiB, and two of the four threads that Node has for such work. */
const SLOTS = 2

/**
 * Passwords as the PHC string format writes them. The operator's pepper goes in as argon2's secret, so that a stolen table
 * cannot even be guessed at.
 */
export function createPasswords({ current, earlier }: Peppers, today: Parameters = TODAY): Passwords {
  const secrets = [current, ...earlier].map(secretOf)
  const [newest = secretOf(current)] = secrets
  const queue = createQueue({ slots: SLOTS, maxWaiting: 100, maxWaitMs: 10_000, busy })
  const hashed = (
    { account, password }: { readonly account: string; readonly password: string },
    { bytes: secret }: Secret,
    known: Pick<Known, "salt" | "parameters">,
    tagLength: number,
  ) =>
    queue(accountOwner(account), () =>
      derive("argon2id", { message: password, nonce: known.salt, secret, tagLength, ...known.parameters }),
    )
  return {
    hash: async (account, password) => {
      const salt = randomBytes(SALT_BYTES)
      const hash = await hashed({ account, password }, newest, { salt, parameters: today }, HASH_BYTES)
      return written(today, newest.id, salt, hash)
    },
    check: async (account, text, password) => {
      const known = text === null ? NOBODY(today) : read(text)
      let right: Secret | undefined
      // As many computations for every hash, found or not: the time tells neither whether it is there nor which pepper it has.
      for (const secret of secrets) {
        const hash = await hashed({ account, password }, secret, known, known.hash.length)
        const isMeant = known.pepperId === null || known.pepperId === secret.id
        if (timingSafeEqual(hash, known.hash) && isMeant) right = secret
      }
      if (right === undefined) return "wrong"
      const isNewest = known.pepperId === newest.id && isOf(known.parameters, today)
      return isNewest ? "right" : "right, to be renewed"
    },
  }
}

const busy = () => new Refusal("part-down", "Too many people log in at once.", { retryAfterSeconds: 5 })

type Secret = { readonly id: string; readonly bytes: Uint8Array }

const secretOf = ({ id, bytes }: Pepper): Secret => ({
  id,
  bytes: new Uint8Array(hkdfSync("sha256", bytes, "", "paraph account passwords", 32)),
})

type Known = {
  readonly parameters: Parameters
  /** Null: of the time before hashes named their pepper. */
  readonly pepperId: string | null
  readonly salt: Buffer
  readonly hash: Buffer
}

/** No password has this hash, and finding that out takes as long as for any other. */
const NOBODY = (parameters: Parameters): Known => ({
  parameters,
  pepperId: null,
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
})

const isOf = (one: Parameters, other: Parameters): boolean =>
  one.memory === other.memory && one.passes === other.passes && one.parallelism === other.parallelism

/** `keyid` of the PHC string format is the id of the pepper. */
const written = (
  { memory, passes, parallelism }: Parameters,
  pepperId: string,
  salt: Buffer,
  hash: Buffer,
): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism},keyid=${bare(Buffer.from(pepperId, "hex"))}$${bare(salt)}$${bare(hash)}`
const bare = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

function read(text: string): Known {
  const [, m, t, p, id, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})(?:,keyid=([\w+/]{11}))?\$([\w+/]+)\$([\w+/]+)$/.exec(
      text,
    ) ?? []
  if (salt === undefined || hash === undefined) throw new Error("A password hash cannot be read.")
  const parameters = { memory: Number(m), passes: Number(t), parallelism: Number(p) }
  const pepperId = id === undefined ? null : Buffer.from(id, "base64").toString("hex")
  return { parameters, pepperId, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") }
}
