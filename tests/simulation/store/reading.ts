import type { Read, Reading } from "@paraph/core/ports"
import { noProtocols } from "@paraph/core/testing/no-protocols"
import { noSeals } from "@paraph/core/testing/no-seals"
import { noValidations } from "@paraph/core/testing/no-validations"
import { company, listeners, managed, people } from "@paraph/core/testing/quiet-world"
import { readingRemotes } from "@paraph/core/testing/remote-world"
import type { Process } from "../schedule.ts"
import { call, type World } from "../world.ts"
import { intentKey } from "./intents.ts"
import type { State } from "./tables.ts"

/** One snapshot, from the first look on. */
export const createRead =
  (world: World, process: Process): Read =>
  (_, work) => {
    let snapshot: Snapshot | null = null
    const look =
      <A extends readonly unknown[], T>(label: string, find: (state: Snapshot, ...args: A) => T) =>
      (...args: A): Promise<T> =>
        call(world, process, "database", label, () => {
          snapshot ??= snapshotOf(world.state)
          return find(snapshot, ...args)
        })
    const reading: Reading = {
      ...quiet,
      findDocument: look("read document", ({ documents }, id) => documents.get(id) ?? null),
      findDocuments: look("read documents", ({ documents }, ids) =>
        ids.flatMap((id) => documents.get(id) ?? []),
      ),
      findRequest: look("read request", ({ requests }, id) => requests.get(id) ?? null),
      findRequests: look("read requests", ({ requests }, ids) => ids.flatMap((id) => requests.get(id) ?? [])),
      findIntent: look("read intent", ({ intents }, signatureId, documentId, baseId) => {
        return intents.get(intentKey({ signatureId, documentId, baseId })) ?? null
      }),
    }
    return work(reading)
  }

type Snapshot = Pick<State, "requests" | "documents" | "intents">

const snapshotOf = ({ requests, documents, intents }: State): Snapshot => ({
  requests: new Map(requests),
  documents: new Map(documents),
  intents: new Map(intents),
})

const quiet = {
  ...people,
  ...company,
  ...listeners,
  ...managed,
  ...noSeals,
  ...noValidations,
  ...noProtocols,
  ...readingRemotes(new Map()),
  isUser: async () => true,
  listActivities: async () => ({ activities: [], total: 0 }),
  findLook: async () => null,
  findRelease: async () => null,
  listRequests: async () => ({ requests: [], hasNext: false, hasPrevious: false }),
  listDocuments: async () => ({ documents: [], hasNext: false, hasPrevious: false }),
}
