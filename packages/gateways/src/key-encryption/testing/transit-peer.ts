// For the tests: an https server that answers as the transit engine of OpenBao and Vault does, as far as we ask it.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { startHttpsPeer } from "../../testing/https-peer.ts"

type Asked = { readonly path: string; readonly headers: IncomingMessage["headers"]; readonly body: string }
type Said = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
type Scripted = (asked: Asked) => Said | "hangs-up" | "as-usual"

export async function startTransitPeer({ mount, key }: { readonly mount: string; readonly key: string }) {
  const state = {
    token: "hvs.first",
    sealed: false,
    versions: [randomBytes(32)],
    oldestAllowed: 1,
    ignoresContext: false,
  }
  const seen: Asked[] = []
  let script: Scripted = () => "as-usual"

  const peer = await startHttpsPeer(async (request, response) => {
    const asked = { path: request.url ?? "", headers: request.headers, body: await textOf(request) }
    seen.push(asked)
    const scripted = script(asked)
    if (scripted === "hangs-up") return request.socket.destroy()
    say(response, scripted === "as-usual" ? usual(asked) : scripted)
  })

  const usual = ({ path, headers, body }: Asked): Said => {
    if (state.sealed) return refusal(503, "Vault is sealed")
    if (headers["x-vault-token"] !== state.token) return refusal(403, "permission denied")
    const [, operation, name] = new RegExp(`^/v1/${mount}/(encrypt|decrypt)/([^/]+)$`).exec(path) ?? []
    if (operation === undefined) return refusal(404, "no handler for route")
    if (name !== key) return refusal(400, "encryption key not found")
    const fields = JSON.parse(body)
    const aad = Buffer.from(state.ignoresContext ? "" : fields.associated_data, "base64")
    if (operation === "decrypt") return decrypt(fields.ciphertext, aad)
    const version = state.versions.length
    return {
      status: 200,
      body: { data: { ciphertext: encrypt(version, fields.plaintext, aad), key_version: version } },
    }
  }

  const encrypt = (version: number, plaintext: string, aad: Buffer) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", state.versions[version - 1] ?? "", nonce).setAAD(aad)
    const sealed = [nonce, cipher.update(plaintext, "base64"), cipher.final(), cipher.getAuthTag()]
    return `vault:v${version}:${Buffer.concat(sealed).toString("base64")}`
  }

  const decrypt = (ciphertext: string, aad: Buffer): Said => {
    const [, version = "0", base64 = ""] = /^vault:v(\d+):(.*)$/.exec(ciphertext) ?? []
    const secret = state.versions[Number(version) - 1]
    if (secret === undefined) return refusal(400, "invalid ciphertext: version is too new")
    if (Number(version) < state.oldestAllowed)
      return refusal(400, "ciphertext or signature version is disallowed by policy (too old)")
    const value = Buffer.from(base64, "base64")
    if (value.toString("base64") !== base64)
      return refusal(400, "invalid ciphertext: could not decode base64")
    if (value.length < 12) return refusal(400, "invalid ciphertext length")
    try {
      const decipher = createDecipheriv("aes-256-gcm", secret, value.subarray(0, 12)).setAAD(aad)
      decipher.setAuthTag(value.subarray(-16))
      const plain = Buffer.concat([decipher.update(value.subarray(12, -16)), decipher.final()])
      return { status: 200, body: { data: { plaintext: plain.toString("base64") } } }
    } catch {
      return refusal(400, "cipher: message authentication failed")
    }
  }

  return {
    address: `https://localhost:${peer.port}`,
    host: `localhost:${peer.port}`,
    caFile: peer.caFile,
    state,
    seen,
    answerWith: (next: Scripted) => {
      script = next
    },
    close: peer.close,
  }
}

function refusal(status: number, ...errors: string[]): Said {
  return { status, body: { errors } }
}

function say(response: ServerResponse, { status, body, headers }: Said): void {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
