import { type Caller, ownedBy } from "../access/caller.ts"
import { mustHaveRole, mustWrite } from "../access/may.ts"
import { ADMINISTRATORS, ROLES } from "../business/model.ts"
import type { Document } from "../document/model.ts"
import { visualFault } from "../document/visual.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Transact, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { mustStay } from "../signature-request/create.ts"
import type { NewTemplate, Template } from "./model.ts"
import { mustBeOurs } from "./read.ts"

type Parts = { readonly transact: Transact; readonly now: Clock }

/** Every member may make one; a key may not, since what it holds counts for everybody. */
export function createTemplate(
  parts: Parts & { readonly newId: NewId },
  caller: Caller,
  wanted: NewTemplate,
): Promise<Template> {
  mustHaveRole(caller, ROLES)
  mustBePossible(wanted)
  const now = parts.now()
  const template = { id: parts.newId(), ...ownedBy(caller), ...wanted, createdAt: now, updatedAt: now }
  return parts.transact(caller.businessId, async (tx) => {
    mustFit(wanted, await documentsOf(tx, caller, wanted.documentIds, []))
    if ((await tx.countTemplates()) >= LIMITS.templatesPerBusiness)
      throw new Refusal(
        "constraint-violated",
        `A business has at most ${LIMITS.templatesPerBusiness} templates.`,
      )
    await tx.insertTemplate(template)
    await tx.appendAudit({ ...acting(caller, now, "create-template", template), after: onRecord(template) })
    return template
  })
}

/** The whole of it anew. Requests that were made from it stay as they are. */
export function changeTemplate(
  parts: Parts,
  caller: Caller,
  id: string,
  wanted: NewTemplate,
): Promise<Template> {
  mustHaveRole(caller, ROLES)
  mustBePossible(wanted)
  return parts.transact(caller.businessId, async (tx) => {
    const template = await mustManage(tx, caller, id)
    mustFit(wanted, await documentsOf(tx, caller, wanted.documentIds, template.documentIds))
    const changed = { ...template, ...wanted, updatedAt: parts.now() }
    await tx.saveTemplate(changed)
    const change = { before: onRecord(template), after: onRecord(changed) }
    await tx.appendAudit({ ...acting(caller, changed.updatedAt, "change-template", template), ...change })
    return changed
  })
}

/** Its documents stay with those who brought them. */
export function removeTemplate(parts: Parts, caller: Caller, id: string): Promise<void> {
  mustHaveRole(caller, ROLES)
  return parts.transact(caller.businessId, async (tx) => {
    const template = await mustManage(tx, caller, id)
    await tx.removeTemplate(id)
    const change = { before: onRecord(template) }
    await tx.appendAudit({ ...acting(caller, parts.now(), "remove-template", template), ...change })
  })
}

const acting = ({ username: by }: Caller, at: Date, act: string, { id }: Template) => ({
  at,
  by,
  act,
  target: `template ${id}`,
})

/** Others send by it: who changed what is sent, and to whom, is known afterwards. */
const onRecord = ({ name, documentIds, request: { signers, ccEmailAddresses } }: NewTemplate) => ({
  name,
  documents: documentIds,
  signers: signers.flatMap(({ email }) => email ?? []),
  cc: ccEmailAddresses,
})

async function mustManage(tx: Tx, caller: Caller, id: string): Promise<Template> {
  const template = mustBeOurs(caller, await tx.lockTemplate(id))
  if (template.ownerId !== caller.userId) mustHaveRole(caller, ADMINISTRATORS)
  return template
}

function mustBePossible({ request: { signers }, documentIds }: NewTemplate): void {
  if (new Set(documentIds).size < documentIds.length)
    throw new Refusal("constraint-violated", "A document is named twice.")
  const labels = new Set(signers.map(({ label }) => label.toLowerCase()))
  if (labels.size < signers.length)
    throw new Refusal("constraint-violated", "A label stands twice among the signatures.")
  if (signers.reduce((sum, { places }) => sum + places.length, 0) > LIMITS.placesPerTemplate)
    throw new Refusal("constraint-violated", `A template has at most ${LIMITS.placesPerTemplate} places.`)
}

/**
 * Whoever puts a document into a template lets the whole business use it, and keeps others from removing it: that is for those
 * who may change it. Those that were in it before stay, whoever changes the template.
 */
async function documentsOf(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
  before: readonly string[],
): Promise<readonly Document[]> {
  const documents: Document[] = []
  // In one order for everybody, so that two who need the same ones never wait for each other.
  for (const id of [...ids].sort()) {
    const document = await tx.findDocument(id)
    const known = before.includes(id) && document !== null ? document : mustWrite(caller, document)
    documents.push(mustStay(known))
  }
  return documents.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

function mustFit({ request }: NewTemplate, documents: readonly Document[]): void {
  for (const { label, places } of request.signers) {
    for (const { document: number, position } of places) {
      const document = documents[number]
      if (document === undefined)
        throw new Refusal("constraint-violated", `${label}: the template has no document ${number}.`)
      const fault = visualFault(document, { type: "positions", positions: [position] })
      if (fault !== null) throw new Refusal("constraint-violated", `${label}: ${fault}`)
    }
  }
}
