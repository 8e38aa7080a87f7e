import type { Caller } from "../access/caller.ts"
import type { Clock } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { FindKey, HashKey } from "./ports.ts"

/**
 * Part 5: wrong user name, wrong key, expired key and revoked key take the same path and get the same answer
 * (AUTH-06). The key is hashed in any case; the look-up is one query by user name and hash.
 */
export async function login(
  parts: { readonly findKey: FindKey; readonly hashKey: HashKey; readonly now: Clock },
  credentials: { readonly username: string; readonly apiKey: string },
): Promise<Caller> {
  const hashes = parts.hashKey(credentials.apiKey)
  const caller = await parts.findKey(credentials.username, hashes, parts.now())
  if (caller === null) throw new Refusal("credentials-invalid", "User name or API key is wrong.")
  return caller
}
