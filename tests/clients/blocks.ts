import { type Block, blocksOf, papers } from "../service/papers.ts"

/** Every fenced block that a reader could paste. */
export const BLOCKS: readonly Block[] = papers(
  "docs/**/*.md",
  "README.md",
  "packages/sdk/README.md",
  "apps/cli/README.md",
).flatMap(blocksOf)

/** What is read by a parser and not run. */
export const PARSED = ["json", "yaml", "http"]
export const RUN = ["sh", "js", "ts", "py"]

/** Blocks that no test runs here, each with the reason. One that is gone from its page must be gone from here. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  "README.md: npx paraph sandbox": "the sandbox that the blocks run on is started by the test",
  "README.md: git clone <the address of this repository> paraph": "the first set-up of a machine",
  "README.md: npm run dev": "stays up; tests/house/stack.test.ts starts the same services",
  'README.md: pdfsig ~/Downloads/"My first contract.pdf"': "the file comes from a browser",
  "apps/cli/README.md: npx paraph sandbox": "the sandbox that the blocks run on is started by the test",
  "apps/cli/README.md: export PARAPH_URL=https://sign.example.org PARAPH_USERNAME=acme-integration PARAPH_API_KEY_FILE=~/.paraph-key":
    "waits for two people; tests/clients/command-line.test.ts sends, waits and is both of them",
  "apps/cli/README.md: paraph sign lease.pdf --key ann.p12 --level B-LT --tsa http://stamps.example.org --trust roots.pem":
    "asks for a passphrase and a time-stamp; tests/conformance/command-line-signs.test.ts gives both",
  "docs/quickstart.md: npm init -y": "tests/clients/quickstart.test.ts installs what we publish",
  "docs/quickstart.md: PARAPH_API_KEY=api_demo_… node first.mjs": "tests/clients/quickstart.test.ts runs it",
  "docs/howto/test-with-the-sandbox.md: npx paraph sandbox --seed 42 --port 8080":
    "tests/lifecycle/sandbox.test.ts starts it twice and compares",
  "docs/howto/change-the-schema.md: npm run stack -- up": "a contributor's own stack",
  "docs/operations.md: paraph documents audit":
    "the tests share a bucket, so much of it is unnamed to each of them",
  'docs/operations.md: curl --fail -H "Authorization: Bearer $TOKEN" -o acme.zip https://sign.example/v3/export':
    "needs the session of a person; tests/api/export.test.ts has one",
  "docs/operations.md: node --env-file=/etc/paraph/api.env apps/cli/src/main.ts config check":
    "needs the files of an installation; tests/service starts a service by the same commands",
  "docs/operations.md: paraph backup /backups/2030-01-31":
    "a restore needs an empty place; tests/lifecycle/backup.test.ts has two, and does both",
  "docs/operations.md: bash deploy/compose/make-secrets.sh": "needs a Docker engine",
  "docs/two-regions.md: cd deploy": "needs two clusters",
  "docs/two-regions.md: kubectl --context paraph-ch -n paraph exec deploy/paraph-worker -- node apps/cli/src/main.ts ca init --kind production --organization 'Example AG' --country CH":
    "needs two clusters",
}

/** Blocks that an operator types, where the service's own settings are. */
export const OPERATORS = [
  "docs/operations.md",
  "docs/guides/backup-and-restore.md",
  "docs/guides/monitoring.md",
]
