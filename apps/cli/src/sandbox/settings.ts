import { generateKeyPairSync, hkdfSync, randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Place } from "./place.ts"
import { keptIn } from "./private-file.ts"

type Env = Readonly<Record<string, string>>

/** What the server is told, beside what the services around it say of themselves. */
export async function sandboxSettings(place: Place, around: Env): Promise<Env> {
  const { folder, url, ports, seed, clockFile } = place
  const documents = join(folder, "documents")
  mkdirSync(documents, { recursive: true, mode: 0o700 })
  const secret = (name: string) =>
    keptIn(join(folder, name), () =>
      (seed === ""
        ? randomBytes(32)
        : Buffer.from(hkdfSync("sha256", seed, "paraph sandbox", name, 32))
      ).toString("hex"),
    )
  const own = {
    PUBLIC_URL: url,
    CA_URL: url,
    HOST: "localhost",
    PORT: String(ports.service),
    MANAGEMENT_HOST: "localhost",
    MANAGEMENT_PORT: String(ports.management),
    SANDBOX: "true",
    CLOCK_FILE: clockFile,
    SEED: seed,
    KEYS_FOLDER: join(folder, "keys"),
    DOCUMENTS_FOLDER: documents,
    KEY_PEPPER: await secret("pepper"),
    KEK: await secret("kek"),
    TOKEN_KEY: await keptIn(join(folder, "token-key.pem"), newTokenKey),
    SCANNER_URL: "none",
    MAIL_FROM: "Paraph sandbox <no-reply@paraph.example>",
    PRODUCTION: "true",
    PRODUCTION_QUALITIES: "SES,AES,AES_MINIMAL,QES",
    // Whoever tries out answers callbacks and offers files on the same machine.
    CALLBACK_ALLOWED_HOSTS: "localhost,127.0.0.1",
    DOWNLOAD_ALLOWED_HOSTS: "localhost,127.0.0.1",
    DATABASE_CONNECTIONS: "10",
    SHUTDOWN_SECONDS: "5",
    LOG_LEVEL: "error",
  }
  return { ...own, ...around }
}

const newTokenKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()
