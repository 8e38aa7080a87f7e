import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { World } from "../world.ts"

/** I2: one key makes one thing, whoever asks how often; and what was acknowledged is there. */
export function checkKeys({ records }: World): readonly string[] {
  return records.asked.flatMap(({ key, what, acknowledged }) => {
    const made = records.made.filter((one) => one.key === key).map((one) => one.requestId)
    const breaches: string[] = []
    if (made.length > 1) breaches.push(`I2: "${what}" made ${made.join(" and ")} by one key`)
    if (new Set(acknowledged).size > 1)
      breaches.push(`I2: "${what}" was answered by ${acknowledged.join(" and ")}`)
    const [first] = acknowledged
    if (what.startsWith("create") && first !== undefined && !made.includes(first))
      breaches.push(`I2: "${what}" was acknowledged as ${first}, which was never made`)
    return breaches
  })
}

/** I1: who was told that it is started, withdrawn or signed finds it so, for as long as it is there at all. */
export function checkAcknowledged(
  { records }: World,
  lastOf: ReadonlyMap<string, SignatureRequest>,
): readonly string[] {
  const breaches: string[] = []
  for (const { what, acknowledged } of records.asked) {
    const request = lastOf.get(acknowledged[0] ?? "")
    const status = request === undefined ? null : statusOf(request)
    if (what.startsWith("initiate") && status === "DRAFT") breaches.push(`I1: "${what}" was lost`)
    if (what.startsWith("withdraw") && status !== null && status !== "WITHDRAWN")
      breaches.push(`I1: "${what}" was lost`)
  }
  for (const request of lastOf.values())
    for (const { id, consent } of request.signatures)
      if (records.agreed.has(id) && consent === null) breaches.push(`I1: what ${id} agreed to was lost`)
  return breaches
}
