import type { Kind } from "../signature-request/model.ts"

/** Part 5.2: the prefix tells people and secret scanners what they found; the row of the key decides its kind. */
export const KEY_PREFIX: Readonly<Record<Kind, string>> = { demo: "api_demo", production: "api_production" }

/** 256 random bits, shown once (security, R04). `random` is Base64url of 32 bytes. */
export const newApiKey = (kind: Kind, random: string): string => `${KEY_PREFIX[kind]}_${random}`

/** `api_prod` is accepted for `api_production` (AUTH-07): both spellings are one key. */
export const canonicalKey = (key: string): string => key.replace(/^api_prod_/, "api_production_")
