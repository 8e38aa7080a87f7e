// Integrators and signers, who do what such people do and note each thing that they are told before they go on.
import { setTimeout as pause } from "node:timers/promises"
import { type Api, createApi } from "../../service/api.ts"
import type { Journal } from "./journal.ts"
import type { MailServer } from "./mail.ts"
import { BUDGET_MS, patiently } from "./patient.ts"
import type { Random } from "./random.ts"
import { type Ask, live, newStory } from "./story.ts"

export type Tenant = { readonly username: string; readonly key: string; readonly canary: string }

export type World = {
  readonly url: string
  readonly mail: Pick<MailServer, "to" | "refused">
  readonly receiverUrl: string
  readonly tenants: readonly Tenant[]
  readonly journal: Journal
}

export type Clients = {
  /** By the login of this business, with patience; what it must not be told is noted. */
  readonly askFor: (business: number) => Ask
  /** No story begins any more; resolves when those under way have ended. */
  readonly stop: () => Promise<void>
}

/** So many stories at a time, each after the other. */
export function startClients(world: World, random: Random, count: number): Clients {
  let isStopping = false
  const logins = createLogins(world)
  const askFor = (business: number): Ask => askAs(world, logins, business)
  const one = async (client: number) => {
    const own = random.fork(`client ${client}`)
    for (let turn = 0; !isStopping; turn += 1) {
      const business = own.below(world.tenants.length)
      const story = newStory(world.tenants[business]?.canary ?? "", business, `${client}-${turn}`, own)
      world.journal.stories.push(story)
      await live(world, story, askFor(business), own).catch((error: Error) =>
        world.journal.write({ tag: story.tag, failed: error.message }),
      )
    }
  }
  const running = Promise.all(Array.from({ length: count }, (_, client) => one(client)))
  return {
    askFor,
    stop: async () => {
      isStopping = true
      await running
    },
  }
}

type Logins = {
  readonly of: (business: number) => Promise<Api>
  /** Its token is too old. */
  readonly forget: (business: number) => void
}

function createLogins({ url, tenants }: World): Logins {
  const apis = new Map<number, Api>()
  return {
    forget: (business) => void apis.delete(business),
    of: async (business) => {
      const { username = "", key = "" } = tenants[business] ?? {}
      for (const until = Date.now() + BUDGET_MS; ; await pause(200)) {
        const known = apis.get(business)
        if (known !== undefined) return known
        try {
          apis.set(business, await createApi(url, username, key))
        } catch (error) {
          if (Date.now() > until) throw error
        }
      }
    },
  }
}

function askAs({ journal, tenants }: World, logins: Logins, business: number): Ask {
  return (what, call) =>
    patiently(journal, what, async () => {
      const answer = await call(await logins.of(business))
      if (answer.status === 401) {
        logins.forget(business)
        throw new Error("The token is too old.")
      }
      // I11: no business is told a byte of another.
      for (const [at, { canary }] of tenants.entries())
        if (at !== business && answer.bytes.includes(canary)) journal.wrong.push(`${what} tells of ${canary}`)
      return answer
    })
}
