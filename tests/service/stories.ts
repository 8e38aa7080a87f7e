import type { EvidenceBody } from "@paraph/evidence/body"
import type { Service } from "./service.ts"

/** What was logged about a request, an order of a seal or a validation, as the operator reads it. */
export async function storyOf(
  { paraph }: Pick<Service, "paraph">,
  id: string,
): Promise<readonly EvidenceBody[]> {
  const { events } = await paraph("admin", "tell-story", "--id", id)
  return events as unknown as readonly EvidenceBody[]
}

/** One member of each event of a type. */
export async function toldBy(
  service: Pick<Service, "paraph">,
  id: string,
  type: string,
  member: string,
): Promise<readonly unknown[]> {
  return (await storyOf(service, id)).filter((event) => event.type === type).map(({ data }) => data[member])
}
