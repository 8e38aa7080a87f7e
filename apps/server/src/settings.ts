import { FAULT_POINTS } from "./fault-points.ts"
import type { Setting } from "./setting.ts"
import * as kind from "./setting.ts"
import { EST, MAIL_CREDENTIALS, S3_CREDENTIALS, SCANNER_TLS, TLS } from "./settings-of-connections.ts"

/** One row per setting; `docs/operations.md` is printed from them. They are read by `config.ts`. */
export const SETTINGS = {
  ROLES: kind.someOf(
    ["api", "validation", "worker"],
    "Roles of this process, in any mix: api (signing), validation, worker.",
  ),
  HOST: kind.text("127.0.0.1", "Address that the api and the validation interface listen on."),
  PORT: kind.port(8080, "Their port. 0 picks a free one."),
  MANAGEMENT_HOST: kind.text("127.0.0.1", "Address that health and metrics listen on; keep it inside."),
  MANAGEMENT_PORT: kind.port(8081, "Port of health and metrics. 0 picks a free one."),
  PUBLIC_URL: kind.origin("Address under which people and integrators reach the api, without a path."),
  VALIDATION_BASE_URL: kind.optionalOrigin(
    "Address of the validation interface, where it has a host of its own. Empty: PUBLIC_URL with the path /validation, which works in any case.",
  ),
  REGION: kind.oneOf(
    ["ch", "de"],
    "ch",
    "Region of this deployment, ch or de: its time zone, Europe/Zurich or Europe/Berlin. Nothing is shared by regions.",
  ),
  CELL: kind.text(
    "",
    "Name of this cell, where several stand behind a router (docs/cells.md): small letters, digits and hyphens. Keep it for good: the log of evidence is named by it.",
  ),
  TRUSTED_PROXIES: kind.list(
    "",
    "Addresses or networks of reverse proxies whose X-Forwarded-* headers are believed.",
  ),
  ...TLS,
  LOG_LEVEL: kind.oneOf(
    ["trace", "debug", "info", "warn", "error", "fatal"],
    "info",
    "trace, debug, info, warn, error or fatal.",
  ),
  SHUTDOWN_SECONDS: kind.integer(
    20,
    "How long requests and jobs under way may take when the process is told to stop.",
  ),

  DATABASE_URL: kind.text(undefined, "PostgreSQL address."),
  DATABASE_OWNER_URL: kind.text(
    "",
    "PostgreSQL address by the role that owns the schema, for `paraph migrate` alone: the role of DATABASE_URL then cannot change the schema, nor update or delete evidence.",
  ),
  DATABASE_CONNECTIONS: kind.integer(10, "Connections that this process may hold.", 1, 1000),

  S3_ENDPOINT: kind.text("", "Address of the S3 server. Must be given, unless DOCUMENTS_FOLDER is."),
  S3_REGION: kind.text("us-east-1", "Region of the bucket."),
  S3_BUCKET: kind.text("", "Bucket of the sealed documents."),
  ...S3_CREDENTIALS,
  S3_ACCESS_KEY: kind.text("", "Access key of the bucket."),
  S3_SECRET_KEY: kind.optionalSecret("Secret key of the bucket."),
  DOCUMENTS_FOLDER: kind.text("", "Sandbox only: a folder for the sealed documents, in place of a bucket."),
  SPOOL_FOLDER: kind.text(
    "/var/tmp/paraph",
    "Folder on a local disk for documents on their way, sealed. Room for all uploads under way is needed.",
  ),
  PDF_SANDBOX: kind.oneOf(
    ["auto", "required", "preferred"],
    "auto",
    "required: the process does not start where the kernel cannot confine PDF and picture processes by Landlock and seccomp. preferred: they start with what there is. auto: required with PRODUCTION=true, else preferred.",
  ),
  SPOOL_KEPT_MB: kind.integer(512, "How many MB of documents that were looked into stay there, sealed."),
  BUSINESS_CPU_SECONDS: kind.integer(
    60,
    "CPU seconds that the PDF processes and the malware scanner spend a minute, in each server process, on one business in one mode before its work waits for that of others. Twice as much may be saved up.",
    1,
    100_000,
  ),
  PREVIEW_CACHE_MB: kind.integer(64, "How many MB of drawn pages this process keeps in memory."),
  SWEEP_SECONDS: kind.integer(10, "How often a worker looks for what is to be removed.", 1, 3600),
  DELIVERY_DAYS: kind.integer(
    90,
    "Days for which a callback or webhook call that is over can be read.",
    1,
    3650,
  ),
  JOURNAL_DAYS: kind.integer(90, "Days for which an event stays in the journal.", 1, 3650),
  LINK_DAYS: kind.integer(
    90,
    "Days for which a signing link still says what became of a request that has ended.",
    1,
    3650,
  ),

  SCANNER_URL: kind.text(
    undefined,
    "Malware scanner (clamd): unix:/path, tls://host:port or tcp://host:port. The word none turns scanning off.",
  ),

  ...SCANNER_TLS,

  SMTP_URL: kind.ofWorker("Mail server, such as smtp://mail.example.org:587."),
  ...MAIL_CREDENTIALS,
  MAIL_FROM: kind.ofWorker("Sender of our mails, such as Paraph <no-reply@example.org>."),

  MAIL_BOUNCE_ADDRESS: kind.text(
    "",
    "Where undeliverable mails come back to, with {id} in it, such as bounces+{id}@example.org. Empty: to MAIL_FROM.",
  ),
  BOUNCE_LISTEN: kind.text(
    "",
    "host:port at which a worker takes those mails from your mail server, by SMTP; keep it inside. Empty: not at all.",
  ),

  SMS_COUNTRIES: kind.list(
    "",
    "Prefixes of numbers that codes by SMS may go to, such as +41,+423; one with ! before it is left out. Empty: no SMS is sent.",
  ),
  SMS_PER_BUSINESS: kind.integer(200, "Codes by SMS that one business may cause in a day.", 1, 1_000_000),
  SMS_URL: kind.text("", "Address of the SMS gateway, for a worker. Must be given with SMS_COUNTRIES."),
  SMS_TOKEN: kind.optionalSecret("Bearer token that the gateway knows us by."),
  SMS_SENDER: kind.text(
    "",
    "What messages seem to come from: up to 11 letters and digits, or a number. Empty: what the gateway has.",
  ),
  SMS_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network at which the gateway stands; they may do without TLS.",
  ),

  PKCS11_MODULE: kind.ofWorker("Path of the HSM's PKCS#11 module."),
  SOFTHSM2_CONF: kind.text("", "Handed to the key process, for SoftHSM2 only."),
  PKCS11_DEMO_TOKEN: kind.ofWorker("Label of the token with the key for demo signatures."),
  PKCS11_DEMO_PIN_FILE: kind.ofWorker("File with that token's PIN; read by the key process alone."),
  PRODUCTION: kind.bool(
    false,
    "Whether production keys may be used here. Their signatures need a token and a certificate of their own.",
  ),
  PRODUCTION_QUALITIES: kind.someOf(
    ["SES", "AES", "AES_MINIMAL", "QES"],
    "Qualities that production keys may ask for. AES and AES_MINIMAL need an authority that issues to signers (paraph ca init, or EST), QES a provider in QES_PROVIDERS_FILE.",
    ["SES"],
  ),
  PKCS11_PRODUCTION_TOKEN: kind.text("", "Label of the token with the key for production signatures."),
  PKCS11_PRODUCTION_PIN_FILE: kind.text("", "File with that token's PIN; read by the key process alone."),
  SERVICE_KEY_LABEL: kind.text(
    "paraph-service",
    "Label of the key of a certificate that you bring along, in its token.",
  ),
  DEMO_CERTIFICATE_FILE: kind.text(
    "",
    "PEM: your certificate for demo signatures, then its issuers. Empty: the built-in authority makes one (paraph ca init).",
  ),
  PRODUCTION_CERTIFICATE_FILE: kind.text("", "The same for production signatures."),

  LOG_CHECKPOINT_SECONDS: kind.integer(
    60,
    "How long a head of the evidence log is the newest, while others come.",
    1,
  ),
  LOG_STAMP_MINUTES: kind.integer(60, "How often a head of the evidence log is time-stamped.", 1),
  LOG_WITNESSES: kind.witnesses(
    "Who else signs heads of the evidence log (C2SP tlog-witness), each as its key, a space and its address, parted by commas.",
  ),

  TIMESTAMP_URLS: kind.list(
    "",
    "Time-stamping authorities (RFC 3161), asked in their order. Must be given to a worker.",
  ),
  TRUST_ANCHORS_FILE: kind.ofWorker(
    "PEM: the roots of those authorities, and of certificates that you bring along. The built-in authority needs no place here.",
  ),
  VALIDATION_ANCHORS_FILE: kind.text(
    "",
    "PEM: further roots that validations trust, beside those in TRUST_ANCHORS_FILE, our own authority's and those of trusted lists.",
  ),
  TRUSTED_LISTS_FILE: kind.text(
    "",
    "JSON: the trusted lists (ETSI TS 119 612) by which validations know qualified signatures. For workers, who fetch them, and for the role validation.",
  ),
  TRUSTED_LISTS_HOURS: kind.integer(6, "Hours after which a worker looks for newer ones.", 1, 168),
  TRUSTED_LISTS_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network at which trusted lists, or copies of them, may be fetched.",
  ),
  REVOCATION_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network that answer whether a certificate is revoked.",
  ),

  CA_URL: kind.text(
    "",
    "Where certificates of the built-in authority send those who ask about them, by plain http. Keep it for good. Empty: PUBLIC_URL, with http.",
  ),
  CA_POLICY: kind.text(
    "2.25.147695454439993130837324728025397218593",
    "The object identifier of the policy that its certificates name, or none. The default one promises nothing.",
  ),
  CA_ROLL_DAYS: kind.integer(
    400,
    "Days before its end at which an issuing authority gets a successor; more than any of its certificates lives.",
    30,
    1500,
  ),
  CERTIFICATE_ROLL_DAYS: kind.integer(
    30,
    "The same for the service's own certificates and those of company seals, and for that of the OCSP responder, which lives 90 days.",
    1,
    60,
  ),
  SEAL_WAIT_SECONDS: kind.integer(
    30,
    "How long a call that seals a document, or asks for a sealed report, waits for it before it answers 503. Less than what a proxy in front waits.",
    1,
    300,
  ),

  PRODUCTION_ISSUER: kind.oneOf(
    ["built-in", "est"],
    "built-in",
    "Who issues certificates to signers of production: the built-in authority, or another one by EST (RFC 7030).",
  ),
  ...EST,

  KEY_PEPPER: kind.secretBytes(
    "32 random bytes in hex: the pepper of the hashes of API keys, passwords and codes. Not in the database.",
  ),
  KEY_PEPPER_EARLIER: kind.optionalSecretBytesList(
    "Peppers that were in use before, separated by commas. What they hashed is accepted, and hashed by the current one where that is possible.",
  ),
  KEK_PROVIDER: kind.oneOf(
    ["file", "pkcs11", "transit"],
    "file",
    "Where the key lies that wraps the key of each business: a file, an HSM, or OpenBao/Vault (transit).",
  ),
  KEK_FILE: kind.text(
    "",
    "Provider file: file with 32 random bytes in hex, read by the key process alone. Lose it and every document is lost.",
  ),
  KEK: kind.inPlace(
    kind.optionalSecretBytes(
      "Sandbox only: that key itself. Elsewhere it would be in the memory of every process.",
    ),
  ),
  KEK_EARLIER_FILE: kind.text(
    "",
    "File with keys that were in use before, separated by commas, until paraph keys rewrap is done; read by the key process alone.",
  ),
  KEK_EARLIER: kind.inPlace(kind.optionalSecretBytesList("Sandbox only: those keys themselves.")),
  PKCS11_KEK_TOKEN: kind.text("", "Provider pkcs11: label of the token with that key."),
  PKCS11_KEK_PIN_FILE: kind.text("", "Provider pkcs11: file with that token's PIN."),
  PKCS11_KEK_LABEL: kind.text("paraph-kek", "Provider pkcs11: label of the key."),
  PKCS11_KEK_EARLIER_LABELS: kind.list("", "Provider pkcs11: labels of keys that were in use before."),
  TRANSIT_URL: kind.text("", "Provider transit: address of OpenBao or Vault."),
  TRANSIT_MOUNT: kind.text("transit", "Provider transit: where the engine is mounted."),
  TRANSIT_KEY: kind.text("paraph", "Provider transit: name of the key, of type aes256-gcm96."),
  TRANSIT_TOKEN_FILE: kind.text("", "Provider transit: file with a token that may encrypt and decrypt."),
  TRANSIT_EARLIER_KEYS: kind.list(
    "",
    "Names of keys there that were in use before, whatever the provider is now.",
  ),
  TOKEN_KEY: kind.ed25519Key(
    "Ed25519 private key, PKCS#8 PEM: signs login tokens; the same in every api process.",
  ),
  TOKEN_KEY_EARLIER: kind.ed25519Keys(
    "Token keys that were in use before, PKCS#8 PEM, one after the other: they verify and do not sign.",
  ),

  MEMBERS_SECOND_FACTOR: kind.oneOf(
    ["by-business", "required"],
    "by-business",
    "Whether every member of every business logs in with a passkey or an authenticator app (required), or each business decides.",
  ),
  FACTOR_RESET_OPERATORS: kind.oneOf(
    ["2", "1"],
    "2",
    "How many operators it takes to reset the factors of a person: one who asks and one who confirms (2), or one alone (1), for an installation that has no second operator.",
  ),
  LOGINS_PER_USER: kind.integer(
    10,
    "Logins a minute for one user name, or one account of a person, from one network; ten and five times that in all.",
  ),
  LOGINS_PER_ADDRESS: kind.integer(
    100,
    "Logins a minute from one address; those of people are counted apart.",
  ),
  WRITES_PER_KEY: kind.integer(120, "Changes a minute by one API key (POST, PUT, PATCH, DELETE).", 1),
  READS_PER_KEY: kind.integer(600, "Reads a minute by one API key (GET, HEAD).", 1),
  VALIDATIONS_PER_KEY: kind.integer(30, "Validations a minute by one API key.", 1),
  PROTOCOLS_PER_KEY: kind.integer(
    20,
    "Signature protocols a minute that one API key may have made and sealed.",
    1,
  ),
  VALIDATION_PRICE: kind.integer(
    1,
    "Credits that a validation costs with production keys, unless another price is agreed with the business (paraph admin set-credits).",
  ),
  CREDITS_INCLUDED: kind.amount(
    "Credits that a business may use within a month, unless other terms are agreed with it: a whole number, or unlimited.",
  ),
  PAGES_PER_ADDRESS: kind.integer(
    3000,
    "Requests a minute without an API key from one address: pages, descriptions, health, and refused tokens.",
    1,
  ),
  MAILS_PER_BUSINESS: kind.integer(
    1000,
    "Invitations and reminders a minute that one business may cause by the interface.",
    1,
  ),
  MAILS_PER_RECIPIENT: kind.integer(10, "The same, to one address.", 1),
  DAILY_MAILS_PER_RECIPIENT: kind.integer(
    300,
    "Mails about production requests that one address gets in a day, from all businesses. Calls beyond it answer 429, other mails wait for up to 72 hours. One-time codes have limits of their own (choice 213).",
    1,
  ),
  DAILY_DEMO_MAILS_PER_RECIPIENT: kind.integer(50, "The same, of demo requests.", 1),
  SECURITY_CONTACT: kind.contacts(
    "Whom to tell of a hole in this installation, such as mailto:security@example.org or an https page; several with commas. Told at /.well-known/security.txt, which there is not while this is empty.",
  ),
  V1_SUNSET: kind.optionalDay("Day on which version 1 ends, such as 2027-12-31; told in the header Sunset."),

  OUTBOUND_CA_FILE: kind.text(
    "",
    "PEM with further certificate authorities that callbacks and downloads may rely on.",
  ),
  OUTBOUND_PROXY: kind.text("", "Proxy for callbacks and downloads, such as http://proxy.example.org:3128."),
  CALLBACK_CERTIFICATE_FILE: kind.text(
    "",
    "PEM: the certificate, then its issuers, that callbacks and webhooks show to a receiver who asks for one.",
  ),
  CALLBACK_KEY_FILE: kind.text("", "PEM: the private key of that certificate, which is for nothing else."),
  WEBHOOK_SIGNING_KEY: kind.optionalEd25519Key(
    "Ed25519 private key, PKCS#8 PEM: signs webhooks beside their secrets; the same in every process.",
  ),
  DELIVERY_SLOTS: kind.integer(
    128,
    "How many callbacks and webhooks a worker calls at the same time.",
    1,
    2000,
  ),
  DELIVERY_PAUSE_MS: kind.integer(
    5000,
    "Milliseconds before a callback or webhook that failed is called again; doubled each time, up to an hour.",
    1,
    3_600_000,
  ),
  CALLBACK_ALLOWED_HOSTS: kind.list("", "Hosts, or host:port, inside your network that callbacks may reach."),
  DOWNLOAD_ALLOWED_HOSTS: kind.list("", "Hosts, or host:port, inside your network that a file_url may name."),
  IDENTITY_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network that single sign-on may ask who somebody is.",
  ),
  QES_PROVIDERS_FILE: kind.text(
    "",
    "JSON: the remote signing providers for qualified signatures (CSC API v2).",
  ),
  QES_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network at which such a provider stands.",
  ),

  IDENTIFICATION_PROVIDERS: kind.list(
    "demo_ident",
    "Identification providers that signer_identity_data may name; demo_ident proves nothing.",
  ),
  IDENTIFICATION_REGISTRY_FILE: kind.text("", "JSON: those that identify signers on their way."),
  IDENTIFICATION_ALLOWED_HOSTS: kind.list("", "Hosts, or host:port, in your network where one stands."),
  EVIDENCE_KEY: kind.optionalEd25519Key("Ed25519, PKCS#8 PEM: signs evidence (JWT). Empty: TOKEN_KEY."),
  EVIDENCE_PUBLIC_KEYS_FILE: kind.text(
    "",
    "PEM: Ed25519 public keys that signed evidence before. They stay at /.well-known/jwks.json, and open nothing.",
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: kind.text(
    "",
    "OpenTelemetry collector, such as http://collector:4318. Empty: no traces.",
  ),
  OTEL_TRACES_SAMPLER_ARG: kind.share(0.1, "Share of requests and jobs that are traced, 0 to 1."),

  SANDBOX: kind.bool(false, "A place for trying out: allows plain http, and the fault points of the tests."),
  FAULT_POINT: kind.oneOf(
    ["", ...FAULT_POINTS],
    "",
    "Sandbox only: the point of a job at which the process is killed.",
  ),
  CLOCK_FILE: kind.text(
    "",
    "Sandbox only: a file that says by how many milliseconds our clock is ahead, or behind an @ at which time it stands.",
  ),
  KEYS_FOLDER: kind.text("", "Sandbox only: a folder for keys in plain files, instead of the tokens."),
  SEED: kind.text("", "Sandbox only: what ids, keys, serial numbers and nonces follow from."),
} as const satisfies Record<string, Setting<unknown>>

export type Config = {
  readonly [K in keyof typeof SETTINGS]: Exclude<(typeof SETTINGS)[K]["fallback"], undefined>
}
