import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

/** Common and breached passwords of at least 12 characters in lower case, the most used first (common-passwords.md). */
export function readCommonPasswords(): readonly string[] {
  const file = readFileSync(new URL("./common-passwords.txt.gz", import.meta.url))
  return gunzipSync(file).toString("utf8").trimEnd().split("\n")
}
