import type { Document } from "../document/model.ts"
import { visualFault, visualsFault } from "../document/visual.ts"
import { mustFindGroups } from "../group/find.ts"
import type { Group } from "../group/model.ts"
import { type Identification, newIdentification } from "../identification/model.ts"
import type { IdentityProvider } from "../identification/ports.ts"
import { mustHaveExpressQes } from "../identification/read.ts"
import { LIMITS } from "../limits.ts"
import type { NewId, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { RemoteProviders } from "../remote-key/ports.ts"
import type { GroupEntry, Kind, Mark, Quality, Signature, SignatureRequest } from "./model.ts"
import type { NewEntry, NewGroup, NewSigner, Wanted } from "./new-request.ts"

export type EntryParts = {
  readonly newId: NewId
  /** Decisions, "provider": the identification providers that this installation knows. */
  readonly identificationProviders: readonly string[]
  /** And those of them that give evidence. */
  readonly identityProviders: readonly IdentityProvider[]
  /** What the operator has switched on for production: no weight is claimed that is not there. */
  readonly productionQualities: readonly Quality[]
  readonly remoteProviders: RemoteProviders
}

export type Entries = {
  readonly signatures: readonly Signature[]
  readonly groups: readonly GroupEntry[]
  /** Of the groups, as they are now: each a signature of its own. */
  readonly members: readonly Signature[]
}

/** Those who are asked to sign, as the request will hold them. `after`: the last place that is taken already. */
export async function resolveEntries(
  parts: EntryParts,
  tx: Tx,
  kind: Kind,
  entries: readonly NewEntry[],
  documents: readonly Document[],
  after = 0,
): Promise<Entries> {
  const signatures: Signature[] = []
  const groups: GroupEntry[] = []
  const members: Signature[] = []
  let last = after
  for (const entry of entries) {
    const marks = marksOf(entry.wanted, documents)
    if (entry.type === "person") signatures.push(await person(parts, tx, entry, marks))
    else {
      const group = (await mustFindGroups(tx, kind, [entry.groupId])).get(entry.groupId)
      if (group === undefined) throw new Error("A group that was found is missing.")
      const place = entry.place ?? last + 1
      if (place > LIMITS.sequenceMax)
        throw new Refusal("constraint-violated", `No place is left behind ${LIMITS.sequenceMax}.`)
      groups.push(groupEntry(parts.newId(), entry, place, marks))
      members.push(
        ...group.members.map((member) => memberOf(parts.newId(), group, member, entry, place, marks)),
      )
      last = Math.max(last, place)
    }
    last = Math.max(last, entry.place ?? 0)
  }
  return { signatures, groups, members }
}

/** SR-13: an account for the e-mail is invited if there is one, otherwise the identity-data signer. */
async function person(
  parts: EntryParts,
  tx: Tx,
  signer: NewSigner,
  marks: readonly Mark[],
): Promise<Signature> {
  const { email, identity } = signer
  if (email === null && identity === null)
    throw new Refusal("constraint-violated", "A signer needs an e-mail address or identity data.")
  const provider = identity?.provider ?? null
  const known = [...parts.identificationProviders, ...parts.identityProviders.map(({ name }) => name)]
  if (provider !== null && !known.includes(provider))
    throw new Refusal("constraint-violated", `There is no identification provider "${provider}".`)
  const hasAccount = email !== null && identity !== null && (await tx.isAccount(email))
  const person = { ...newSignature(parts.newId(), signer, marks), email }
  if (hasAccount) return person
  return { ...person, identity, identification: await identificationFor(parts, tx, signer) }
}

/**
 * Where the business has express QES, everybody whom a provider could identify can be: whether it is needed depends on the quality,
 * which may still change. What was asked for expressly is refused where it cannot be had.
 */
async function identificationFor(
  parts: EntryParts,
  tx: Tx,
  { identity, requireEvidence = false }: NewSigner,
): Promise<Identification | null> {
  const provider = identity?.provider ?? null
  if (provider === null && requireEvidence)
    throw new Refusal("constraint-violated", "identification_require_evidence needs a provider.")
  if (provider === null) return null
  const settings = await tx.settings()
  if (requireEvidence) mustHaveExpressQes(settings)
  if (!settings.features.includes("express_qes")) return null
  return newIdentification(parts.newId(), provider, requireEvidence)
}

/** Frozen at initiate: who joins or leaves the group later changes nothing here (decisions, "v3 groups"). */
export const memberOf = (
  id: string,
  group: Group,
  member: Group["members"][number],
  entry: Pick<NewGroup, "notify" | "wanted"> | GroupEntry,
  place: number,
  marks: readonly Mark[],
): Signature => ({
  ...newSignature(
    id,
    {
      notify: entry.notify,
      place,
      language: member.language ?? "en",
      wanted: "wanted" in entry ? entry.wanted : null,
    },
    marks,
  ),
  email: member.email,
  groupId: group.id,
})

function groupEntry(id: string, entry: NewGroup, place: number, marks: readonly Mark[]): GroupEntry {
  const { groupId, notify, wanted } = entry
  return { id, groupId, place, notify, restricted: wanted.type === "some", marks }
}

/** An entry that waits for its signer. */
function newSignature(
  id: string,
  {
    place,
    notify,
    language,
    wanted,
  }: Pick<NewSigner, "place" | "notify" | "language"> & { wanted: Wanted | null },
  marks: readonly Mark[],
): Signature {
  return {
    id,
    email: null,
    identity: null,
    identification: null,
    vouch: null,
    groupId: null,
    place,
    notify,
    language,
    state: "open",
    consent: null,
    signedAt: null,
    declineReason: null,
    invitedAt: null,
    lastViewedAt: null,
    remindedAt: null,
    mailProblem: null,
    turn: null,
    waitingFor: null,
    restricted: wanted?.type === "some",
    marks,
  }
}

function marksOf(wanted: Wanted, documents: readonly Document[]): readonly Mark[] {
  if (wanted.type === "all") return documents.map((document) => markOn(document, wanted.visual))
  if (wanted.marks.length === 0)
    throw new Refusal("constraint-violated", "A signer signs at least one document.")
  if (new Set(wanted.marks.map((m) => m.documentId)).size < wanted.marks.length)
    throw new Refusal("constraint-violated", "A signer signs a document once.")
  return wanted.marks.map(({ documentId, visual }) => {
    const document = documents.find((d) => d.id === documentId)
    if (document === undefined)
      throw new Refusal("constraint-violated", `The request has no document ${documentId}.`)
    return markOn(document, visual)
  })
}

function markOn(document: Document, visual: Mark["visual"]): Mark {
  const fault = visualFault(document, visual)
  if (fault !== null) throw new Refusal("constraint-violated", fault)
  return { documentId: document.id, versionId: null, visual }
}

/** Each has a place of their own (part 2.3); a field is signed once. */
export function mustFit(asked: Pick<SignatureRequest, "signatures" | "groups">): void {
  const fault = visualsFault(asked)
  if (fault !== null) throw new Refusal("constraint-violated", fault)
}
