import { argon2, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import type { Passwords } from "@paraph/core/account/ports"
import { accountOwner } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import { createQueue } from "@paraph/gateways/fair-queue"

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
export function createPasswords(pepper: Uint8Array, today: Parameters = TODAY): Passwords {
  const secret = new Uint8Array(hkdfSync("sha256", pepper, "", "paraph account passwords", 32))
  const queue = createQueue({ slots: SLOTS, maxWaiting: 100, maxWaitMs: 10_000, busy })
  const hashed = (account: string, password: string, known: Omit<Known, "hash">, tagLength: number) => {
    const { salt: nonce, parameters } = known
    return queue(accountOwner(account), () =>
      derive("argon2id", { message: password, nonce, secret, tagLength, ...parameters }),
    )
  }
  return {
    hash: async (account, password) => {
      const salt = randomBytes(SALT_BYTES)
      return written(today, salt, await hashed(account, password, { salt, parameters: today }, HASH_BYTES))
    },
    check: async (account, text, password) => {
      const known = text === null ? NOBODY(today) : read(text)
      const hash = await hashed(account, password, known, known.hash.length)
      if (!timingSafeEqual(hash, known.hash)) return "wrong"
      return isOf(known.parameters, today) ? "right" : "right, to be renewed"
    },
  }
}

const busy = () => new Refusal("part-down", "Too many people log in at once.", { retryAfterSeconds: 5 })

type Known = { readonly parameters: Parameters; readonly salt: Buffer; readonly hash: Buffer }

/** No password has this hash, and finding that out takes as long as for any other. */
const NOBODY = (parameters: Parameters): Known => ({
  parameters,
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
})

const isOf = (one: Parameters, other: Parameters): boolean =>
  one.memory === other.memory && one.passes === other.passes && one.parallelism === other.parallelism

const written = ({ memory, passes, parallelism }: Parameters, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(salt)}$${bare(hash)}`
const bare = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

function read(text: string): Known {
  const [, m, t, p, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error("A password hash cannot be read.")
  const parameters = { memory: Number(m), passes: Number(t), parallelism: Number(p) }
  return { parameters, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") }
}
