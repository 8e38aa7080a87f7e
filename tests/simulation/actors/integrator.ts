import { addDays, dateIn } from "@paraph/core/dates"
import { addSigner } from "@paraph/core/signature-request/add-signer"
import {
  initiate,
  remind,
  removeSignatureRequest,
  removeSigner,
  withdraw,
} from "@paraph/core/signature-request/change"
import { createSignatureRequest } from "@paraph/core/signature-request/create"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { CreateRequest, NewSigner } from "@paraph/core/signature-request/new-request"
import { updateSignatureRequest } from "@paraph/core/signature-request/update"
import { type Answer, type ApiParts, type Ask, CALLER } from "../api.ts"
import { DAY } from "../faults.ts"
import { ZONE } from "../parts.ts"
import type { World } from "../world.ts"

/** How often somebody tries again who has heard nothing, and how long after. */
const TRIES_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000]

/** Makes a request by a key of its own and goes on to change it; whatever is not heard is asked again. */
export async function integrate(world: World, ask: Ask, number: number): Promise<void> {
  const { random } = world
  await later(world, random.next() * 3_600_000)
  const command = drawCommand(world, number)
  const made = await persist(world, ask, `create ${number}`, async (parts) => {
    const document =
      command.document.type === "documents"
        ? command.document
        : {
            type: "content" as const,
            content: parts.hold(`upload ${number}`),
            contentType: "application/pdf",
          }
    return (await createSignatureRequest(parts, CALLER, { ...command, document })).id
  })
  if (made?.type !== "ok") return
  const id = made.value
  if (command.startAs === "draft") {
    if (random.next() < 0.3) await change(world, ask, id, "add a signer")
    await later(world, random.next() * DAY)
    await persist(world, ask, `initiate ${number}`, async (parts) => (await initiate(parts, CALLER, id)).id)
  }
  for (let n = random.below(5); n > 0; n -= 1) {
    await later(world, random.pick([60_000, 1_800_000, DAY, 10 * DAY]) * random.next())
    await change(world, ask, id, random.pick(CHANGES))
  }
}

const CHANGES = [
  "remind",
  "remind",
  "remind at once, twice",
  "update",
  "add a signer",
  "remove a signer",
  "withdraw",
  "delete",
] as const

async function change(world: World, ask: Ask, id: string, what: (typeof CHANGES)[number]): Promise<void> {
  const label = `${what} ${world.newId("change")}`
  const ofId = (work: (parts: ApiParts) => Promise<SignatureRequest>) =>
    persist(world, ask, label, async (parts) => (await work(parts)).id)
  switch (what) {
    case "remind":
      return void (await ofId((parts) => remind(parts, CALLER, id, null)))
    case "remind at once, twice": {
      const once = () => ask(label, (parts) => remind(parts, CALLER, id, null))
      return void (await Promise.all([once(), once()]))
    }
    case "update":
      return void (await ofId((p) =>
        updateSignatureRequest(p, CALLER, { id, changes: { title: "Another" } }),
      ))
    case "add a signer":
      return void (await ofId((parts) => addSigner(parts, CALLER, id, drawSigner(world))))
    case "remove a signer": {
      const signatures = world.state.requests.get(id)?.signatures ?? []
      if (signatures.length === 0) return
      const { id: signatureId } = world.random.pick(signatures)
      return void (await ofId((parts) => removeSigner(parts, CALLER, id, signatureId)))
    }
    case "withdraw":
      return void (await ofId((parts) => withdraw(parts, CALLER, id, null)))
    case "delete":
      // It answers nothing that could be read again: whoever asks twice is told that there is none.
      for (const wait of TRIES_MS) {
        const answer = await ask(label, (parts) => removeSignatureRequest(parts, CALLER, id))
        if (answer.type === "ok" || answer.type === "refused") return
        await later(world, wait)
      }
  }
}

/** The same call under the same key until it is answered; null: given up. */
async function persist(
  world: World,
  ask: Ask,
  what: string,
  work: (parts: ApiParts) => Promise<string>,
): Promise<Answer<string> | null> {
  const asked = { key: world.newId("key"), what, acknowledged: [] as string[] }
  world.records.asked.push(asked)
  // Impatient ones ask a second time beside the first.
  const twice = world.random.next() < 0.1
  const once = async () => {
    const answer = await ask(what, work, asked.key)
    if (answer.type === "ok") asked.acknowledged.push(answer.value)
    return answer
  }
  for (const wait of TRIES_MS) {
    const [answer] = await Promise.all(twice ? [once(), once()] : [once()])
    if (answer?.type === "ok") return answer
    if (answer?.type === "refused" && answer.code !== "idempotency-running") return answer
    await later(world, wait)
  }
  return null
}

const later = ({ schedule }: World, ms: number): Promise<void> =>
  new Promise((resolve) => schedule.at(schedule.now() + ms, null, "an integrator comes back", resolve))

function drawSigner(world: World): NewSigner {
  const { random } = world
  return {
    type: "person",
    email: `${world.newId("signer")}@people.example`,
    identity: null,
    place: random.pick([null, 1, 2, 2, 3]),
    notify: random.next() < 0.95,
    language: "en",
    wanted: { type: "all", visual: null },
  }
}

function drawCommand(world: World, number: number): CreateRequest {
  const { random, state } = world
  const uploads = [...state.documents.keys()].filter((id) => id.startsWith(`upload-${number}-`))
  const url = (of: string) => `https://hooks.example/${of}?request=SERVICE_SIGNATURE_REQUEST_ID`
  const callbacks = random.pick([
    {},
    { success: url("a"), update: url("a"), error: url("a") },
    { success: url("s"), update: url("u"), error: url("e") },
  ])
  const today = dateIn(ZONE, world.now())
  return {
    document:
      random.next() < 0.5
        ? { type: "documents", ids: uploads.slice(0, 1 + random.below(2)) }
        : { type: "content", content: undefined as never, contentType: "application/pdf" },
    entries: Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => drawSigner(world)),
    title: "Contract",
    message: null,
    quality: "SES",
    legislation: null,
    callbacks,
    custom: null,
    attachOnSuccess: random.pick([[], ["SIGNED_DOCUMENT" as const]]),
    readAccess: [],
    writeAccess: [],
    ccEmailAddresses: random.pick([[], ["copy@people.example"]]),
    creator: null,
    expiresOn: random.pick([null, null, addDays(today, random.below(12)), addDays(today, 38)]),
    startAs: random.pick(["started", "started", "draft"]),
    inviting: random.pick(["in-order", "all-at-once"]),
  }
}
