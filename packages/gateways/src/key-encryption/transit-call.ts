import { readFile } from "node:fs/promises"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Answer, Outbound } from "../outbound/outbound.ts"
import { KeyEncryptionFailed, type KeyEncryptionFailure } from "./failed.ts"

export type TransitServer = {
  readonly address: string
  readonly mount: string
  readonly key: string
  readonly tokenFile: string
  readonly outbound: Outbound
}

type Asked = Readonly<Record<string, string>>
type Data = Readonly<Record<string, unknown>>

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/** One call of the key server, with the token as it is in the file now. */
export async function askTransit(
  server: TransitServer,
  operation: "encrypt" | "decrypt",
  asked: Asked,
): Promise<Data> {
  const token = await readToken(server.tokenFile)
  let answer = await post(server, operation, asked, token)
  if (answer.status === 403) {
    // An agent may have written a fresh token while the old one was on its way.
    const fresher = await readToken(server.tokenFile)
    if (fresher !== token) answer = await post(server, operation, asked, fresher)
  }
  const told = read(answer.body)
  if (answer.status !== 200) throw failureOf(operation, answer.status, told)
  if (!isRecord(told.data)) throw new KeyEncryptionFailed("down", "The key server's answer cannot be read.")
  return told.data
}

async function readToken(file: string): Promise<string> {
  const token = await readFile(file, "utf8").catch((cause) => {
    throw new KeyEncryptionFailed("refused", "The file with the key server's token cannot be read.", {
      cause,
    })
  })
  if (!/^[\x21-\x7e]{1,8192}$/.test(token.trim()))
    throw new KeyEncryptionFailed("refused", "The file with the key server's token holds no token.")
  return token.trim()
}

async function post(server: TransitServer, operation: string, asked: Asked, token: string): Promise<Answer> {
  const { outbound, address, mount, key } = server
  const url = `${address.replace(/\/+$/, "")}/v1/${mount}/${operation}/${key}`
  try {
    return await outbound.request("keys", url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-vault-token": token,
        // An agent or proxy in between may ask for it, as a guard against forged requests.
        "x-vault-request": "true",
      },
      body: Buffer.from(JSON.stringify(asked)),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
  } catch (cause) {
    if (!(cause instanceof OutboundFailed)) throw cause
    const forbidden = cause.code === "refused-address" || cause.code === "unsupported-url"
    const message = `The key server cannot be asked. ${cause.message}`
    throw new KeyEncryptionFailed(forbidden ? "refused" : "down", message, { cause })
  }
}

function read(body: Uint8Array): Data {
  try {
    const told: unknown = JSON.parse(Buffer.from(body).toString())
    return isRecord(told) ? told : {}
  } catch {
    // What stands in front of the server may answer with a page of its own.
    return {}
  }
}

function isRecord(value: unknown): value is Data {
  return typeof value === "object" && value !== null
}

function failureOf(operation: "encrypt" | "decrypt", status: number, { errors }: Data): KeyEncryptionFailed {
  const words = Array.isArray(errors) ? errors.filter((each) => typeof each === "string").join("; ") : ""
  const said = words === "" ? "" : ` and said: ${words.trim().slice(0, 300)}`
  return new KeyEncryptionFailed(
    codeOf(operation, status, words),
    `The key server answered ${operation} with status ${status}${said}`,
  )
}

/** Anything that is not clear is "down": a key must not be called corrupt because a server has a bad day. */
function codeOf(operation: "encrypt" | "decrypt", status: number, words: string): KeyEncryptionFailure {
  if (status === 401 || status === 403) return "refused"
  if (status === 404) return "no-such-key"
  if (status !== 400) return "down"
  if (words.includes("encryption key not found")) return "no-such-key"
  if (operation === "decrypt" && /invalid ciphertext|authentication failed/.test(words)) return "corrupt"
  return "refused"
}
