// Express QES from end to end: somebody without an account is identified on the way, and signs with the certificate of that name.
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  comesToStatus,
  type Identifying,
  identifyAs,
  QES,
  startIdentifying,
  toIdentify,
  visitorOf,
} from "../service/identification.ts"
import { askedToGo, type Qualified, startQualified, visitAs } from "../service/qualified.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { signAs } from "../service/visitor.ts"

let identifying: Identifying
let world: Qualified
beforeAll(async () => {
  world = await startQualified({
    start: async (options) => {
      identifying = await startIdentifying(options)
      return identifying.service
    },
  })
}, 300_000)
afterAll(async () => {
  await world?.close()
  await identifying?.provider.close()
})

it.each(["v2", "v3"] as const)(
  "[XQ-01 %s] is signed by who was identified, once the certificate is of that name",
  async (v) => {
    const { service } = world
    const { id, email, at } = await toIdentify(service, v, QES)
    const visitor = await visitorOf(service, email)
    // Nobody goes to the provider of the key before it is known who they are.
    expect((await signAs(visitor, "Ada Lovelace", "zertes")).status).toBe(403)
    await identifyAs(service, visitor)
    await comesToStatus(service.caller, at, "ACCEPTED")
    expect((await signAs(visitor, "Ada Lovelace", "zertes")).status).toBe(202)
    await visitAs(service, visitor, { login: "mallory.meyer@example.org" })
    await until("it is refused", async () => (await visitor.view()).atProvider?.problem === "other-person")
    expect((await signAs(visitor, "Ada Lovelace", "zertes")).status).toBe(202)
    await visitAs(service, visitor)
    await askedToGo(visitor)
    await visitAs(service, visitor)
    await until(
      "it is signed",
      async () =>
        (await service.caller.get(`/${v}/signature-requests/${id}`)).body.status_overall === "SIGNED",
      60_000,
    )
    const names = (await storyOf(service, id)).flatMap(({ data }) => data.nameBy ?? [])
    expect(names).toEqual(["identification", "identification", "certificate"])
    expect(world.of("ZERTES").signatures().length).toBeGreaterThan(0)
  },
  120_000,
)
