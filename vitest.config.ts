import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { refuseExcludedFiles } from "./tests/service/excluded-files.ts"
import { isLong } from "./tests/service/long.ts"
import { notThisTurn } from "./tests/service/turn.ts"

// Six kinds of tests (CONTRIBUTING.md). "pure" needs nothing but Node and is part of `npm run check`;
// the others run on the real services that `npm run stack` starts.

// Most of the time of most files is spent waiting for somebody (a retry, a lease, a browser), so as many run at once
// as the machine has cores, whatever Vitest would leave free for others.
const together = { maxWorkers: Math.max(2, availableParallelism()), sequence: { groupOrder: 0 } }

// What takes times or memory in figures has the machine to itself, after all others. Machines have neighbours: a figure that is
// not reached is taken again, twice at most; one that is missed three times in a row is the product's.
const alone = { maxWorkers: 1, fileParallelism: false, sequence: { groupOrder: 1 }, retry: 2 }
const MEASURED = [
  "tests/api/documents-fair.test.ts",
  "tests/api/large-uploads.test.ts",
  "tests/api/lists-at-scale.test.ts",
  "tests/api/login-timing.test.ts",
  "tests/api/validation-hostile.test.ts",
  "tests/conformance/bench.test.ts",
  "tests/conformance/corpora.test.ts",
  "tests/faults/callbacks-misbehave.test.ts",
  "tests/faults/documents-disk-full.test.ts",
  "tests/faults/reads-while-people-sign.test.ts",
  "tests/faults/signing-keys-away.test.ts",
  "tests/web/throttled.test.ts",
]

// A landing is to be quick, so what takes minutes of a processor and shows at length what others show in short is for the night:
// `npm run test:long` has it all. Change an engine, and run what judges it here too.
const LENGTHY = [
  // Every level, quality, kind of file and of foreign log; engine, seals, opinions and attacks keep a share of it.
  "tests/conformance/documents.test.ts",
  "tests/conformance/every-quality.test.ts",
  "tests/conformance/finished-levels.test.ts",
  "tests/conformance/levels.test.ts",
  "tests/conformance/tlog/evidence-log.test.ts",
  "tests/conformance/wrong-answers.test.ts",
  // Parts that are away, full, slow or wrong, each on services of its own; races, killed processes, a fail-over and a short run of them all are in every landing.
  "tests/faults/!(races|processes-are-killed|failover|many-at-once).test.ts",
  // Whole worlds: every operation by everybody, real providers' production keys, browsers that few have.
  "tests/lifecycle/express-qualified.test.ts",
  "tests/lifecycle/nobody-else-signs.test.ts",
  "tests/lifecycle/qualified-production.test.ts",
  "tests/web/other-browsers.test.ts",
  // Random calls of every operation, by what is described.
  "tests/described/schemathesis.test.ts",
  // What is published, from an empty folder, and every block of code of the pages.
  "tests/clients/code-blocks-run.test.ts",
  "tests/clients/quickstart.test.ts",
  "tests/clients/runtimes.test.ts",
  // Figures that a neighbour of the machine can spoil.
  "tests/api/lists-at-scale.test.ts",
  "tests/api/validation-hostile.test.ts",
  "tests/web/throttled.test.ts",
]
const lengthy = isLong ? [] : LENGTHY

// What everything rests on is in every landing: the house, its parts, documents, requests, signing, doors and calls. Of the rest through
// the front door, which costs much of a processor, a landing has a quarter, another one each day (tests/service/turn.ts).
const ALWAYS = [
  "tests/api/{callbacks,documents-delete,documents-list,documents-read,documents-refused,documents-upload,documents-view}.test.ts",
  "tests/api/{doors,idempotency,keys,login,signer-access,signing-pages,signing-pages-acts,signing-pages-served}.test.ts",
  "tests/api/signature-requests*.test.ts",
  // What an attack on the running service achieved is tested in every run.
  "tests/api/{code-limits,fair-share,mail-caps,operators-key,passwords,single-sign-on-signing,sole-control}.test.ts",
  // So are authorisation, and attacks by and on other callers.
  "packages/gateways/src/outbound/bypass.test.ts",
  "tests/api/{account-attacks,authorisation,authorisation-sweep,documents-access,hostile-input}.test.ts",
  "tests/api/{image-bombs,passkey-attacks}.test.ts",
  // Each landing changes pages; that one of them leads nowhere is not to be found days later.
  "tests/clients/documentation-site.test.ts",
  "tests/conformance/{appearance,authority,decoded-budget,differences,pkits,places,raise,reading}.test.ts",
  // Whether a false signature is accepted is asked in every run.
  "tests/conformance/validation/{attack-corpus,attacks,opinions}.test.ts",
  "tests/described/descriptions.test.ts",
  "tests/faults/many-at-once.test.ts",
  "tests/lifecycle/{a-signer-declines,advanced-signature,demo-beside-production,one-person-signs,two-people-sign}.test.ts",
  "tests/web/signing-journeys.test.ts",
]
const IN_TURN = [
  "packages/gateways/src/outbound/bypass.test.ts",
  "packages/gateways/src/pdf/{compare,hostile}.test.ts",
  "packages/store/src/blobs/bucket.test.ts",
  "packages/store/src/postgres/races.test.ts",
  "tests/{api,clients,conformance,described,faults,lifecycle,web}/**/*.test.ts",
]
const resting = notThisTurn(IN_TURN, [...ALWAYS, ...lengthy])
const apart = [...MEASURED, ...lengthy, ...resting]
refuseExcludedFiles(process.argv.slice(2), [...lengthy, ...resting])

// These end what hangs. On a machine with busy neighbours everything takes three times as long, which is no fault.
const stack = {
  globalSetup: ["tests/stack.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...together,
          // What must be quick is held to processor time; a busy machine is no fault.
          testTimeout: 60_000,
          name: "pure",
          // No test here changes what another could see, so one process loads the sources once for all: half the work.
          isolate: false,
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/*/src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "tests/simulation/**/*.test.ts",
          ],
          exclude: [
            "packages/store/**",
            "packages/gateways/**",
            "packages/trust-sandbox/**",
            "**/node_modules/**",
          ],
        },
      },
      {
        test: {
          ...stack,
          ...together,
          name: "parts",
          include: [
            "packages/store/src/**/*.test.ts",
            "packages/gateways/src/**/*.test.ts",
            "packages/trust-sandbox/src/**/*.test.ts",
          ],
          exclude: [...resting],
        },
      },
      {
        test: {
          ...stack,
          ...together,
          name: "conformance",
          include: ["tests/conformance/**/*.test.ts"],
          exclude: apart,
        },
      },
      { test: { ...together, name: "fuzz", include: ["tests/fuzz/**/*.test.ts"], testTimeout: 60_000 } },
      {
        // As it is written, not as it was built last; packages/sdk/src/package.test.ts looks at what is published.
        resolve: { alias: { "@paraph/sdk": resolve(import.meta.dirname, "packages/sdk/src/index.ts") } },
        test: {
          ...stack,
          ...together,
          name: "front-door",
          include: [
            "tests/lifecycle/**/*.test.ts",
            "tests/api/**/*.test.ts",
            "tests/clients/**/*.test.ts",
            "tests/described/**/*.test.ts",
            "tests/web/**/*.test.ts",
            "tests/faults/**/*.test.ts",
            "tests/house/**/*.test.ts",
            "tests/cells/**/*.test.ts",
          ],
          exclude: apart,
        },
      },
      {
        test: { ...stack, ...alone, name: "measured", include: MEASURED, exclude: [...lengthy, ...resting] },
      },
    ],
  },
})
