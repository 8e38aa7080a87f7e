// Everything that is fuzzed, by the file that it stands in: a thread loads the one it needs. A new door that reads foreign bytes gets
// its name here; `targets.test.ts` fails where the two differ.

import { planted } from "./planted.ts"
import type { Target } from "./target.ts"

export const FILES: Readonly<Record<string, readonly string[]>> = {
  address: [
    "outbound-address",
    "public-address",
    "network",
    "callback-url",
    "exit-url",
    "embed-origin",
    "next-path",
  ],
  answer: ["delivery-status", "scanner-answer", "sms-answer", "transit-answer", "est-answer"],
  attachment: ["attachment"],
  certificate: ["certificate", "extensions", "signature-value"],
  csc: ["csc-info", "csc-credentials", "csc-signatures"],
  der: ["der", "ber"],
  evidence: ["evidence-body", "story", "archive-list", "archive", "trust-file"],
  file: ["policy", "configuration", "command-line", "backup-list", "backup-manifest"],
  form: ["form"],
  header: ["accept-language", "range", "entity-tag", "file-name"],
  image: ["image"],
  "json-upload": ["json-upload"],
  "kept-bytes": ["sealed-bytes", "wrapped-key", "child-frame", "cleaned-picture"],
  log: ["checkpoint", "verifier-key", "log-proof", "tile-path", "entry-bundle", "witness-answer"],
  mail: ["mail", "door-page", "sms-text"],
  openid: ["openid-description", "openid-token"],
  page: ["page-signature", "page-inflate"],
  path: ["name", "path"],
  "pdf-differences": ["pdf-differences"],
  "pdf-encrypted": ["pdf-encrypted"],
  "pdf-inside": ["pdf-metadata", "pdf-embedded-file", "xml-report", "drawing"],
  "pdf-structure": ["pdf-object-stream", "pdf-xref-stream", "pdf-filter"],
  pdf: [
    "pdf-describe",
    "pdf-signatures",
    "pdf-marks",
    "pdf-revisions",
    "pdf-prepare",
    "pdf-repair",
    "pdf-watermark",
    "pdf-flatten",
  ],
  people: ["person-name", "telephone-number", "identity-claims", "calendar-day", "accent"],
  pkcs12: ["pkcs12"],
  "provider-file": ["csc-providers-file", "identity-providers-file", "trusted-lists-file"],
  request: ["create-v1", "create-v2", "create-v3", "list-query", "event-place"],
  revocation: ["ocsp-request", "ocsp-response", "crl"],
  sdk: ["webhook-call", "problem-answer", "retry-after", "link-header", "token-lifetime"],
  "signed-data": ["signed-data", "unsigned-attribute"],
  "stated-name": ["stated-name"],
  timestamp: ["timestamp-request", "timestamp-response", "timestamp-token"],
  token: ["bearer-token", "preview-link", "bounce-address"],
  "trusted-list": ["xml", "trusted-list"],
}

export const names: readonly string[] = Object.values(FILES).flat()

export async function targetNamed(name: string): Promise<Target> {
  const file = Object.keys(FILES).find((one) => FILES[one]?.includes(name))
  const found = (file === undefined ? planted : await targetsIn(file)).find((target) => target.name === name)
  if (found === undefined) throw new RangeError(`There is no target ${name}.`)
  return found
}

/** Whatever a file of `targets` exports. */
export async function targetsIn(file: string): Promise<readonly Target[]> {
  const exported: Readonly<Record<string, Target>> = await import(`./targets/${file}.ts`)
  return Object.values(exported)
}
