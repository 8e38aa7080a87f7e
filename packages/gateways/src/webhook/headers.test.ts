import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, verify } from "node:crypto"
import { describe, expect, it } from "vitest"
import { publicKeyOf, secretOf, webhookHeaders } from "./headers.ts"

const id = "msg_2b8d"
const at = new Date("2026-11-02T09:00:00.900Z")
const body = '{"type":"signature.signed"}'
const { privateKey } = generateKeyPairSync("ed25519")

describe("the headers of a webhook", () => {
  it("sign the example of the specification as it does", () => {
    // The vector that the libraries of Standard Webhooks have in common.
    const headers = webhookHeaders({
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    })
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    })
  })

  it("have a signature for each secret, and one of the service's own key", () => {
    const secrets = [secretOf(randomBytes(32)), secretOf(randomBytes(32))]
    const headers = webhookHeaders({ id, at, body, secrets, key: privateKey })
    const signatures = (headers["webhook-signature"] ?? "").split(" ")
    const signed = `${id}.${Math.floor(at.getTime() / 1000)}.${body}`
    const hmac = (secret = "") =>
      createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
        .update(signed)
        .digest("base64")
    expect(signatures.slice(0, 2)).toEqual(secrets.map((secret) => `v1,${hmac(secret)}`))
    const [version, value = ""] = (signatures[2] ?? "").split(",")
    expect([version, signatures.length]).toEqual(["v1a", 3])
    expect(
      verify(null, Buffer.from(signed), publicKeyFrom(publicKeyOf(privateKey)), Buffer.from(value, "base64")),
    ).toBe(true)
  })

  it("without any key say whose call it is, and no more", () => {
    expect(webhookHeaders({ id, at, body: "", secrets: [] })).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1793610000",
    })
  })
})

/** As a receiver reads it: 32 bytes of an Ed25519 key. */
function publicKeyFrom(text: string) {
  expect(text).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
  const x = Buffer.from(text.slice(5), "base64").toString("base64url")
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
}
