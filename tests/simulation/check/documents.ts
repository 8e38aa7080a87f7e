import type { Document } from "@paraph/core/document/model"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { faultOf, marksIn, sha256 } from "../paper.ts"
import { intentKey } from "../store/intents.ts"
import type { World } from "../world.ts"

/** I4: each version is its parent and something behind it, and no parent has two of them. */
export function checkVersions({ records }: World): readonly string[] {
  const breaches: string[] = []
  const children = new Map<string, string>()
  for (const { document, text } of records.versions.values()) {
    const { id, parentId } = document
    if (text === undefined || sha256(text) !== document.sha256) {
      breaches.push(`I4: the object of ${id} is not what its row says`)
      continue
    }
    if (parentId === null) continue
    const other = children.get(parentId)
    if (other !== undefined) breaches.push(`I4: ${other} and ${id} were both made of ${parentId}`)
    children.set(parentId, id)
    const parent = records.versions.get(parentId)?.text
    if (parent === undefined || !text.startsWith(parent) || text.length <= parent.length)
      breaches.push(`I4: ${id} does not continue ${parentId}`)
  }
  return breaches
}

/** I3: one mark of each who has signed, on bytes that continue what they were shown; and every mark is sound. */
export function checkMarks(world: World, lastOf: ReadonlyMap<string, SignatureRequest>): readonly string[] {
  return [...lastOf.values()].flatMap((request) =>
    request.documents.flatMap(({ id, newestId }) => [
      ...marksOf(world, request, id, newestId),
      ...lineOf(world, request, id, newestId),
    ]),
  )
}

function marksOf(world: World, request: SignatureRequest, id: string, newestId: string): readonly string[] {
  const marks = marksIn(world.records.versions.get(newestId)?.text ?? "")
  const breaches = marks.flatMap((mark) => {
    const fault = faultOf(mark)
    return fault === null ? [] : [`I3: the mark ${mark.field} on ${id} ${fault}`]
  })
  for (const signature of request.signatures) {
    const wanted = signature.marks.find((m) => m.documentId === id)
    const made = marks.filter((mark) => mark.field === `Paraph-${signature.id}`)
    const expected = wanted === undefined || wanted.versionId === null ? 0 : 1
    if (made.length !== expected)
      breaches.push(`I3: ${made.length} marks of ${signature.id} on ${id} instead of ${expected}`)
    for (const { prefix } of made) {
      const shown = (signature.consent?.shown ?? []).map((v) => world.records.versions.get(v)?.text)
      if (!shown.some((text) => text !== undefined && prefix.startsWith(text)))
        breaches.push(`I3: ${signature.id} signed on ${id} what was not shown`)
    }
  }
  const known = new Set(request.signatures.map((s) => `Paraph-${s.id}`))
  for (const { field } of marks)
    if (!known.has(field)) breaches.push(`I3: ${id} has a mark ${field} of nobody`)
  return breaches
}

/** Whatever was signed is on record as it was prepared, before it was made; and nothing else is there in its place. */
export function checkIntents({ records, state }: World): readonly string[] {
  return [...state.requests.values()].flatMap(({ signatures }) =>
    signatures.flatMap(({ id: signatureId, marks }) =>
      marks.flatMap(({ documentId, versionId }) => {
        const version = versionId === null ? undefined : records.versions.get(versionId)
        if (version === undefined) return []
        const mark = marksIn(version.text ?? "").at(-1)
        // Whoever found its certificate revoked may have begun anew a moment before it was used.
        if (mark === undefined || records.revoked.has(mark.certificate)) return []
        const baseId = version.document.parentId ?? ""
        const intent = state.intents.get(intentKey({ signatureId, documentId, baseId }))
        const value = intent?.value == null ? null : Buffer.from(intent.value).toString("latin1")
        const isIt = intent?.versionId === versionId && value === mark.value
        return isIt ? [] : [`I3: what is on record of ${signatureId} on ${documentId} is not what was signed`]
      }),
    ),
  )
}

/** From the newest version back to the upload, by way of everything that marks have made. */
function lineOf(
  { records }: World,
  request: SignatureRequest,
  id: string,
  newestId: string,
): readonly string[] {
  const line = new Set<string>()
  let version: Document | undefined = records.versions.get(newestId)?.document
  while (version !== undefined && !line.has(version.id)) {
    line.add(version.id)
    version = version.parentId === null ? undefined : records.versions.get(version.parentId)?.document
  }
  const made = request.signatures.flatMap((s) =>
    s.marks.flatMap((m) => (m.documentId === id && m.versionId) || []),
  )
  return [id, ...made].flatMap((one) => (line.has(one) ? [] : [`I4: ${one} is not behind ${newestId}`]))
}
