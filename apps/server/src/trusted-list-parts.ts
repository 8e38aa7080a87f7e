import type { Clock } from "@paraph/core/ports"
import type { Outbound } from "@paraph/gateways/outbound"
import { fetchTrustedList } from "@paraph/gateways/trusted-lists"
import { type ListsFile, readListsFile } from "@paraph/gateways/trusted-lists-file"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { claimLook, keepLists, listsVersion, readLists } from "@paraph/store/postgres/trusted-lists"
import { indexServices, servicesNamed, type TrustStore } from "@paraph/validation/trust-store"
import type { TrustService } from "@paraph/validation/trusted-list"
import { type Config, ConfigFaults } from "./config.ts"
import type { Logger } from "./telemetry/logs.ts"
import { loadApart } from "./trusted-lists/load.ts"

type Around = {
  readonly db: ServiceDatabase
  readonly outbound: Outbound
  readonly now: Clock
  readonly log: Logger
}

/** Trusted lists: workers fetch and keep them, whoever validates reads what is kept, and needs nobody for it. */
export function trustedListParts(config: Config, around: Around) {
  const file = readFile(config)
  return {
    servicesNamed: naming(file, around),
    lookAfterTrustedLists: fetching(config, file, around),
  }
}

export function readFile({ TRUSTED_LISTS_FILE: path }: Pick<Config, "TRUSTED_LISTS_FILE">): ListsFile {
  if (path === "") return { sources: [], copies: new Map(), faults: [] }
  const file = readListsFile(path)
  if (file.faults.length > 0) throw new ConfigFaults(file.faults)
  return file
}

const HOUR_MS = 3_600_000
/** Between two looks at whether it is time; the rows say which worker's turn it is. */
const ASK_EVERY_MS = 30_000

function fetching({ TRUSTED_LISTS_HOURS: hours }: Config, file: ListsFile, around: Around) {
  const { db, outbound, now, log } = around
  let askedAt = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    if (file.sources.length === 0 || Math.abs(now().getTime() - askedAt) < ASK_EVERY_MS) return
    askedAt = now().getTime()
    if (!(await claimLook(db, now(), hours * HOUR_MS))) return
    const known = new Map([...file.copies, ...(await readLists(db))])
    const order = { sources: file.sources, known, now: now() }
    const fetchList = (address: string) => fetchTrustedList(outbound, address)
    const { keep, lists, problems, services } = await loadApart({ ...order, fetchList })
    await keepLists(db, keep, problems, now())
    for (const problem of problems) log.warn({ problem }, "trusted list")
    log.info({ lists: lists.length, services: services.length }, "trusted lists")
  }
}

/** How soon a process that validates hears of newer lists. */
const LOOK_EVERY_MS = 60_000
const NOTHING: TrustStore = indexServices([])

function naming(file: ListsFile, { db, now, log }: Around) {
  let known: { readonly version: string; readonly store: TrustStore } | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    const version = (await listsVersion(db)) ?? "copies"
    if (version === known?.version) return
    const lists = new Map([...file.copies, ...(await readLists(db))])
    const { services } = await loadApart({ sources: file.sources, known: lists, now: now() })
    known = { version, store: indexServices(services) }
  }
  return async (names: readonly string[]): Promise<readonly TrustService[]> => {
    if (file.sources.length === 0) return []
    if (Math.abs(now().getTime() - lookedAt) >= LOOK_EVERY_MS && looking === null) {
      lookedAt = now().getTime()
      looking = look()
        .catch((error: unknown) => log.error({ error }, "trusted lists cannot be read"))
        .finally(() => {
          looking = null
        })
    }
    // Who comes first waits for them; later ones go on with those that are known.
    if (known === null) await looking
    return servicesNamed((known as { readonly store: TrustStore } | null)?.store ?? NOTHING, names)
  }
}
