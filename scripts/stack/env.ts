// The server's settings for this stack, under the names that the server reads.
import { join } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import { clamdUrl } from "./clamd.ts"
import { mailboxUrl } from "./mail.ts"
import { databaseUrls } from "./postgres.ts"
import { s3Bucket, s3Keys, s3Region } from "./s3.ts"
import { caFile, secretFile } from "./secrets.ts"
import { confFile, pkcs11Module, tokens } from "./softhsm.ts"
import type { Service, ServiceName } from "./state.ts"
import { trustRootFile, trustUrl } from "./trust.ts"

export type Env = Readonly<Record<string, string>>

export async function settings(dir: string, services: Readonly<Record<ServiceName, Service>>): Promise<Env> {
  const { postgres, s3, clamd, mailbox, trust } = services
  return {
    ...(await databaseUrls(dir, postgres.port)),
    S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
    S3_REGION: s3Region,
    S3_BUCKET: s3Bucket,
    S3_ACCESS_KEY: (await s3Keys(dir)).access,
    S3_SECRET_KEY_FILE: secretFile(dir, "s3-secret-key"),
    SCANNER_URL: clamdUrl(clamd.port),
    SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    MAIL_FROM: "Paraph <no-reply@paraph.test>",
    PKCS11_MODULE: pkcs11Module(),
    SOFTHSM2_CONF: confFile(dir),
    PKCS11_DEMO_TOKEN: tokens.demo,
    PKCS11_DEMO_PIN_FILE: secretFile(dir, "pin-demo"),
    PRODUCTION: "true",
    PKCS11_PRODUCTION_TOKEN: tokens.production,
    PKCS11_PRODUCTION_PIN_FILE: secretFile(dir, "pin-production"),
    TIMESTAMP_URLS: `${trustUrl(trust.port)}/now/tsa`,
    TRUST_ANCHORS_FILE: trustRootFile(dir),
    REVOCATION_ALLOWED_HOSTS: new URL(trustUrl(trust.port)).host,
    KEY_PEPPER_FILE: secretFile(dir, "pepper"),
    KEK_FILE: secretFile(dir, "kek"),
    TOKEN_KEY_FILE: secretFile(dir, "token-key.pem"),
    OUTBOUND_CA_FILE: caFile(dir),
    MAILBOX_URL: mailboxUrl(mailbox.httpPort ?? 0),
  }
}

/** A form that `node --env-file` and a shell both read. */
export async function writeEnv(dir: string, env: Env): Promise<void> {
  const lines = Object.entries(env).map(
    ([name, value]) => `${name}=${/[\s<>]/.test(value) ? `"${value}"` : value}\n`,
  )
  await writePrivate(join(dir, "env"), lines.join(""))
}
