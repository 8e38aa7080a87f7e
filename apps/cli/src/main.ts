#!/usr/bin/env node
import { ConfigFaults, loadConfig } from "@paraph/server/config"
import { migrate } from "@paraph/store/postgres/migrate"
import { admin } from "./admin.ts"
import { configCheck, settingsTable } from "./config.ts"
import { doctor } from "./doctor.ts"
import { documents } from "./documents.ts"
import { keys } from "./keys.ts"
import { NotUnderstood } from "./not-understood.ts"

const USAGE = `paraph: run an electronic signature service

  paraph migrate                      bring the database to the schema of this version
  paraph doctor                       check each part and say what is wrong
  paraph admin create-business --name NAME
  paraph admin create-user --business ID --username NAME
  paraph admin create-key --user NAME --kind demo|production [--days 365]
  paraph admin revoke-key --key ID
  paraph keys create                  make the operator's key in the HSM (KEK_PROVIDER pkcs11)
  paraph keys rewrap [--all]          wrap every business's key with the operator's key of today
  paraph keys rotate --business ID    a new key for a business; its documents' keys are wrapped anew
  paraph keys finish-rotation --business ID
  paraph documents audit [--remove-unnamed=COUNT]
                                      check that each document has its object, and each object its row
  paraph config check                 check the settings of the environment
  paraph config docs                  print the table of settings
`

/** Each command answers the exit code. */
async function main(words: readonly string[]): Promise<number> {
  switch (words[0]) {
    case "migrate": {
      const done = await migrate(loadConfig().DATABASE_URL)
      console.log(done.length === 0 ? "The schema is up to date." : `Done: ${done.join(", ")}`)
      return 0
    }
    case "doctor":
      return doctor(loadConfig())
    case "admin":
      return admin(loadConfig(), words.slice(1))
    case "keys":
      return keys(loadConfig(), words.slice(1))
    case "documents":
      return documents(loadConfig(), words.slice(1))
    case "config":
      if (words[1] === "docs") {
        console.log(settingsTable())
        return 0
      }
      if (words[1] === "check") return configCheck()
  }
  console.log(USAGE)
  return words.length === 0 || words[0] === "help" || words[0] === "--help" ? 0 : 2
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const told = error instanceof ConfigFaults || error instanceof NotUnderstood
    console.error(told ? error.message : error)
    process.exitCode = told ? 2 : 1
  },
)
