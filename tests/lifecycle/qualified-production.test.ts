// QES with production keys: what the provider signed weighs as much as its certificate says, and nothing else is called so.
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Api, createApi, type Json } from "../service/api.ts"
import { type Qualified, signQualified, startQualified } from "../service/qualified.ts"
import { signAdvanced } from "../service/release.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { until } from "../service/until.ts"
import { agedHolder, newVoucher } from "../service/vouching.ts"

let world: Qualified
let api: Api
beforeAll(async () => {
  world = await startQualified({
    kind: "production",
    env: { PRODUCTION_QUALITIES: "SES,AES,AES_MINIMAL,QES" },
  })
  api = await createApi(world.service.url, world.service.username, world.service.productionKey)
}, 300_000)
afterAll(() => world?.close())

const sent = async (email: string, terms: object): Promise<string> =>
  (await sentTo(api, "v2", [email], terms)).id
const signed = (id: string): Promise<Json> =>
  until(
    "it is signed",
    async () => {
      const { body } = await api.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body.signatures[0]
    },
    60_000,
  )

it.each(["EIDAS", "ZERTES"] as const)(
  "[SR-07] is QES by %s where a provider's certificate signed",
  async (legislation) => {
    const email = newAddress("qes")
    const id = await sent(email, { quality: "QES", legislation })
    await signQualified(world, email, world.of(legislation).name)
    expect(await signed(id)).toMatchObject({ signed_quality: "QES", signed_legislation: legislation })
  },
  120_000,
)

it("is QES for AES_MINIMAL where the signer could, and AES where a key of ours signed", async () => {
  const [one, other] = [newAddress("can"), newAddress("cannot")]
  const terms = { quality: "AES_MINIMAL", legislation: "ZERTES" }
  const voucher = await newVoucher(world.service)
  const holder = await agedHolder(world.service, other, "Ada Lovelace")
  const request = await sentTo(api, "v2", [other], { ...terms, write_access: [voucher.email] })
  await voucher.vouchFor(request, "Ada", "Lovelace")
  const ids = [await sent(one, terms), request.id as string]
  await signQualified(world, one, "zertes")
  await signAdvanced(world.service, other, holder)
  expect(await signed(ids[0] ?? "")).toMatchObject({ signed_quality: "QES" })
  expect(await signed(ids[1] ?? "")).toMatchObject({ signed_quality: "AES" })
}, 300_000)

it("is refused where no provider is for production: a demo provider stands in for none", async () => {
  const demo = world.service.caller
  const demoRequest = await sentTo(demo, "v2", [newAddress("demo")], { quality: "QES", legislation: "EIDAS" })
  // No demo provider is configured here: a key of ours plays its part, without weight.
  expect(demoRequest.status_overall).toBe("OPEN")
  const without = world.service.startApi({ QES_PROVIDERS_FILE: "", PORT: "0" })
  await expect(without).rejects.toThrow(/no provider for production/)
}, 300_000)
