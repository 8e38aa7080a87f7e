import type { Signer } from "@paraph/core/login/signer"
import { currentConsent } from "@paraph/core/signature-request/consent"
import { decline } from "@paraph/core/signature-request/decline"
import { openDoor } from "@paraph/core/signature-request/open"
import { requestSigning } from "@paraph/core/signature-request/request-signing"
import { viewSignature } from "@paraph/core/signature-request/view"
import type { Answer, Ask } from "../api.ts"
import { DAY } from "../faults.ts"
import type { World } from "../world.ts"

/** People who come when a mail with a link has reached them, read, and sign or not; who meets a fault tries again. */
export function createSigners(world: World, ask: Ask): { readonly onMail: (signatureId: string) => void } {
  const { schedule, random, state } = world
  const coming = new Set<string>()
  return {
    onMail: (signatureId) => {
      if (coming.has(signatureId)) return
      const request = [...state.requests.values()].find((r) => r.signatures.some((s) => s.id === signatureId))
      if (request === undefined) return
      coming.add(signatureId)
      const signer = { businessId: request.businessId, requestId: request.id, signatureId }
      const comes = schedule.now() + random.pick([5_000, 60_000, 3_600_000, DAY, 8 * DAY]) * random.next()
      schedule.at(comes, null, `${signatureId} comes`, () => {
        void visit(world, ask, signer).then(() => coming.delete(signatureId))
      })
    },
  }
}

const TRIES = 8

async function visit(world: World, ask: Ask, signer: Signer): Promise<void> {
  const { random } = world
  const of = signer.signatureId
  const session = { idHash: new Uint8Array(), way: "link" as const, arrival: ARRIVAL }
  const opened = await trying(world, () => ask(`${of} opens`, (parts) => openDoor(parts, signer, session)))
  if (opened?.type !== "ok") return
  const seen = await trying(world, () =>
    ask(`${of} reads`, async (parts) => {
      const { screen, documents } = await viewSignature(parts, signer)
      return { screen, shown: documents.map((d) => d.id) }
    }),
  )
  if (seen?.type !== "ok" || seen.value.screen !== "read") return
  await later(world, random.pick([2_000, 60_000, 1_800_000]) * random.next())
  const act = random.next()
  if (act < 0.07) return
  if (act < 0.14)
    return void (await trying(world, () =>
      ask(`${of} declines`, (parts) => decline(parts, signer, undefined)),
    ))
  const { shown } = seen.value
  const agreed = { name: "Ann Example", consentVersion: currentConsent("en").version, shown }
  const press = () => ask(`${of} signs`, (parts) => requestSigning(parts, { ...signer, way: "link" }, agreed))
  // A double tap.
  const beside = random.next() < 0.2 ? press() : null
  const answer = await trying(world, press)
  if (answer?.type === "ok") world.records.agreed.add(of)
  await beside
}

const ARRIVAL = { exits: {} as never, hideDownload: false, language: null }

/** Until there is an answer, or the person has had enough. */
async function trying<T>(world: World, act: () => Promise<Answer<T>>): Promise<Answer<T> | null> {
  for (let n = 0; n < TRIES; n += 1) {
    const answer = await act()
    if (answer.type === "ok" || answer.type === "refused") return answer
    await later(world, 10_000 * 2 ** n * world.random.next())
  }
  return null
}

const later = ({ schedule }: World, ms: number): Promise<void> =>
  new Promise((resolve) => schedule.at(schedule.now() + ms, null, "a person comes back", resolve))
