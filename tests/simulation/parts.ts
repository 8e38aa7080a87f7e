import type { createPlaces } from "@paraph/server/jobs/deliver"
import type { Bucket } from "@paraph/store/blobs/bucket"
import { outsideParts, type WorkerParts } from "./outside.ts"
import type { Process } from "./schedule.ts"
import { type Authority, documentParts, markParts } from "./signing-parts.ts"
import { datesOf } from "./store/dates.ts"
import { deliveriesOf } from "./store/deliveries.ts"
import { createTransact } from "./store/keys.ts"
import { createRead } from "./store/reading.ts"
import { call, type World } from "./world.ts"

export const ZONE = "Europe/Zurich"

const quietLog = { info: () => undefined, warn: () => undefined, error: () => undefined }
const none = async () => []
const zero = async () => 0

/** What stands behind the ports of a worker here; as much of it as its jobs ask for. */
export function workerParts(
  world: World,
  process: Process,
  surroundings: {
    readonly authority: Authority
    readonly onMail: (signatureId: string) => void
    readonly kill: (process: Process) => void
  },
): WorkerParts {
  const { authority, onMail, kill } = surroundings
  const note = (label: string) => call(world, process, "database", label, () => undefined)
  const delivering: Partial<Parameters<typeof createPlaces>[0]> = {
    ...deliveriesOf(world, process),
    deliverySettings: { slots: 32, firstPauseMs: 5000 },
    random: () => world.random.next(),
  }
  const parts: Partial<WorkerParts> = {
    ...documentParts(world, process),
    ...markParts(world, process, authority),
    ...outsideParts(world, process, onMail),
    ...datesOf(world, process),
    ...delivering,
    transact: createTransact(world, process),
    read: createRead(world, process),
    now: world.now,
    newId: () => world.newId("id"),
    timeZone: ZONE,
    publicUrl: "https://sign.example",
    bounceAddresses: { of: () => undefined, signatureOf: () => null },
    mailLog: { begin: () => note("mail begins"), end: () => note("mail ends"), bounced: zero } as never,
    brandOf: async () => ({ name: "Acme AG", accent: null, logoId: null, senderName: null }),
    logoOf: async () => null,
    readContent: async function* () {},
    claimSealRenewals: none,
    claimReviews: none,
    dueTurns: none,
    claimDueKeys: none,
    removeOldSessions: zero,
    removeOldWindows: zero,
    removeOldOfAccounts: async () => false,
    removePast: [],
    idempotency: { removeOld: zero } as never,
    bucket: {
      remove: (name: string) =>
        call(world, process, "bucket", `remove ${name}`, () => void world.records.objects.delete(name)),
      // It fails as the removal after it does, and draws nothing, so that seeds which are kept show what they showed.
      markErased: async () => undefined,
    } satisfies Partial<Bucket> as never,
    log: quietLog as never,
    metrics: { job: () => undefined } as never,
    pass: () => {
      if (world.faults.step(world.schedule.now()) === "die") kill(process)
    },
  }
  return parts as WorkerParts
}
