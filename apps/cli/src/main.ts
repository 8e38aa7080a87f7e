#!/usr/bin/env node
import { Refusal } from "@paraph/core/refusal"
import { ConfigFaults, loadConfig } from "@paraph/server/config"
import { NotUnderstood } from "./not-understood.ts"

const USAGE = `paraph: run an electronic signature service

  paraph sandbox                      the whole service on this machine, for trying out; paraph sandbox --help
  paraph migrate                      bring the database to the schema of this version
  paraph doctor                       check each part and say what is wrong
  paraph admin ACT                    businesses, users, keys, people, the audit log; paraph admin --help lists the acts
  paraph keys create                  make the operator's key in the HSM (KEK_PROVIDER pkcs11)
  paraph keys rewrap [--all]          wrap every business's key with the operator's key of today
  paraph keys rotate --business ID    a new key for a business; its documents' keys are wrapped anew
  paraph keys finish-rotation --business ID
  paraph ca ACT                       the built-in authority; paraph ca --help lists the acts
  paraph seal ACT                     company seals; paraph seal --help lists the acts
  paraph log check [--checkpoint FILE …] [--key FILE …]
                                      check all evidence against the log, and against heads that were kept elsewhere
  paraph documents audit [--remove-unnamed=COUNT]
                                      check that each document has its object, and each object its row
  paraph verify FILE…                 check signed PDFs and the story of a request, without any server; paraph verify --help
  paraph config check                 check the settings of the environment
  paraph config docs                  print the table of settings
`

/** Each command answers the exit code, and loads what it needs: most are typed by scripts, many times. */
async function main(words: readonly string[]): Promise<number> {
  switch (words[0]) {
    case "sandbox":
      return (await import("./sandbox/command.ts")).sandbox(words.slice(1))
    case "migrate": {
      const { migrate } = await import("@paraph/store/postgres/migrate")
      const { DATABASE_OWNER_URL, DATABASE_URL } = loadConfig()
      const done = await migrate(DATABASE_OWNER_URL || DATABASE_URL, DATABASE_URL)
      console.log(done.length === 0 ? "The schema is up to date." : `Done: ${done.join(", ")}`)
      return 0
    }
    case "doctor":
      return (await import("./doctor.ts")).doctor(loadConfig())
    case "admin":
      return (await import("./admin.ts")).admin(loadConfig, words.slice(1))
    case "keys":
      return (await import("./keys.ts")).keys(loadConfig(), words.slice(1))
    case "ca":
      return (await import("./ca.ts")).ca(loadConfig, words.slice(1))
    case "seal":
      return (await import("./seal.ts")).seal(loadConfig, words.slice(1))
    case "log":
      return (await import("./log.ts")).log(loadConfig(), words.slice(1))
    case "documents":
      return (await import("./documents.ts")).documents(loadConfig(), words.slice(1))
    case "verify":
      return (await import("./verify.ts")).verify(words.slice(1)).catch(notSaid)
    case "config": {
      const config = await import("./config.ts")
      if (words[1] === "docs") {
        console.log(config.settingsTable())
        return 0
      }
      if (words[1] === "check") return config.configCheck()
    }
  }
  console.log(USAGE)
  return words.length === 0 || words[0] === "help" || words[0] === "--help" ? 0 : 2
}

/** Whatever goes wrong while files are checked, it does not say that they do not hold. */
function notSaid(error: unknown): number {
  console.error(error instanceof NotUnderstood ? error.message : error)
  return 2
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const told = error instanceof ConfigFaults || error instanceof NotUnderstood || error instanceof Refusal
    console.error(told ? error.message : error)
    process.exitCode = told ? 2 : 1
  },
)
