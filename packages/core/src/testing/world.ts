import type { Document } from "../document/model.ts"
import type { Held } from "../document/ports.ts"
import type { Evidence } from "../evidence/model.ts"
import type { Read, Reading, Transact, Tx } from "../ports.ts"
import type { Release } from "../release/model.ts"
import type { SignerKey } from "../release/ports.ts"
import type { Effect } from "../signature-request/event.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { KeptLook } from "../signature-request/look.ts"
import { transition } from "../signature-request/machine.ts"
import type { SigningParts } from "../signature-request/make-mark.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { noProtocols } from "./no-protocols.ts"
import { noSeals } from "./no-seals.ts"
import { noValidations } from "./no-validations.ts"
import { company, listeners, managed, people } from "./quiet-world.ts"
import { changingRemotes, type Remotes, readingRemotes } from "./remote-world.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "./sample.ts"

type State = {
  readonly requests: Map<string, SignatureRequest>
  readonly documents: Map<string, Document>
  readonly intents: Map<string, Intent>
  readonly looks: Map<string, KeptLook>
  readonly releases: Map<string, Release>
  readonly signerKeys: Map<string, SignerKey>
  readonly remotes: Remotes
  readonly evidence: Evidence[]
  readonly effects: Effect[]
}

/** A world in memory. A transaction works on a copy that becomes the state when it ends well; one at a time. */
export function newWorld(agreed: readonly string[], undecided: readonly string[] = []) {
  const request = started([...agreed, ...undecided], agreed)
  let state: State = {
    requests: new Map([[request.id, request]]),
    documents: new Map([["d1", upload]]),
    intents: new Map(),
    looks: new Map(),
    releases: new Map(),
    signerKeys: new Map(),
    remotes: new Map(),
    evidence: [],
    effects: [],
  }
  let last: Promise<unknown> = Promise.resolve()
  const transact: Transact = (_, work) => {
    const result = last.then(async () => {
      const copy = copyOf(state)
      const answer = await work(txOn(copy))
      state = copy
      return answer
    })
    last = result.catch(() => undefined)
    return result
  }
  const read: Read = (_, work) => last.then(() => work(readingOf(state)))
  const { parts, blobs, keyUses, stampsBought } = partsOn(transact, read)
  const newest = () => {
    const document = state.documents.get(requestOf(state).documents[0]?.newestId ?? "")
    if (document === undefined) throw new Error("The newest version is missing.")
    return document
  }
  return {
    parts,
    keyUses,
    stampsBought,
    newest,
    request: () => requestOf(state),
    change: (to: (request: SignatureRequest) => SignatureRequest) =>
      void state.requests.set("r1", to(requestOf(state))),
    intents: () => [...state.intents.values()],
    looks: () => [...state.looks.values()],
    releases: () => [...state.releases.values()],
    signerKeys: () => [...state.signerKeys.values()],
    remotes: () => [...state.remotes.values()],
    evidence: () => state.evidence,
    effects: () => state.effects,
    text: () => String.fromCharCode(...(blobs.get(newest().blob.name) ?? [])),
    marksMade: () => state.evidence.filter((e) => e.type === "mark.made").map((e) => e.signatureId),
  }
}

const upload: Document = {
  id: "d1",
  businessId: "b1",
  kind: "demo",
  ownerId: "u1",
  owner: "acme-integration",
  title: "Contract",
  contentType: "application/pdf",
  sizeBytes: "upload".length,
  sha256: "",
  pageCount: 1,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 1, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: null,
  parentId: null,
  blob: { name: "blob of d1", wrappedKey: new Uint8Array(), keyVersion: 1 },
  readAccess: [],
  writeAccess: [],
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
  viewChecked: true,
  flattened: null,
  removingSince: null,
}

const described = {
  pageCount: 1,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 1, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: null,
}

function started(signers: readonly string[], agreed: readonly string[]): SignatureRequest {
  let request = transition(sampleRequest(signers.map(() => null)), {
    type: "start",
    members: [],
    at: SAMPLE_TIME,
  }).request
  for (const signatureId of agreed) {
    const consent = sampleConsent()
    request = transition(request, { type: "consent", signatureId, consent, at: SAMPLE_TIME }).request
  }
  return request
}

const requestOf = (state: State): SignatureRequest => {
  const request = state.requests.get("r1")
  if (request === undefined) throw new Error("The request is missing.")
  return request
}

const copyOf = (state: State): State => ({
  requests: new Map(state.requests),
  documents: new Map(state.documents),
  intents: new Map(state.intents),
  looks: new Map(state.looks),
  releases: new Map(state.releases),
  signerKeys: new Map(state.signerKeys),
  remotes: new Map(state.remotes),
  evidence: [...state.evidence],
  effects: [...state.effects],
})

const key = (i: Pick<Intent, "signatureId" | "documentId" | "baseId">) =>
  `${i.signatureId} ${i.documentId} ${i.baseId}`

const readingOf = (state: State): Reading => ({
  ...noSeals,
  ...noValidations,
  ...noProtocols,
  findDocument: async (id) => state.documents.get(id) ?? null,
  findDocuments: async (ids) => ids.flatMap((id) => state.documents.get(id) ?? []),
  findRequest: async (id) => state.requests.get(id) ?? null,
  findRequests: async (ids) => ids.flatMap((id) => state.requests.get(id) ?? []),
  listRequests: async () => ({
    requests: [...state.requests.values()],
    hasNext: false,
    hasPrevious: false,
  }),
  isUser: async (username) => username === "acme-integration",
  listActivities: async () => ({ activities: [], total: 0 }),
  findLook: async (signatureId) => state.looks.get(signatureId) ?? null,
  findRelease: async (id) => state.releases.get(id) ?? null,
  ...readingRemotes(state.remotes),
  findIntent: async (signatureId, documentId, baseId) =>
    state.intents.get(key({ signatureId, documentId, baseId })) ?? null,
  listDocuments: async () => ({
    documents: [...state.documents.values()],
    hasNext: false,
    hasPrevious: false,
  }),
  ...people,
  ...company,
  ...listeners,
  ...managed,
})

function txOn(state: State): Tx {
  const keep = (intent: Intent): Intent => {
    state.intents.set(key(intent), intent)
    return intent
  }
  return {
    insertDocument: async (document) => {
      if (state.documents.has(document.id)) throw new Error("There is a document with this id.")
      state.documents.set(document.id, document)
    },
    findDocument: async (id) => state.documents.get(id) ?? null,
    lockDocument: async (id) => state.documents.get(id) ?? null,
    saveAccess: async (document) => void state.documents.set(document.id, document),
    removeDocument: async ({ id }) => void state.documents.delete(id),
    requestsWith: async () => [],
    insertRequest: async (request) => void state.requests.set(request.id, request),
    lockRequest: async (id) => state.requests.get(id) ?? null,
    saveRequest: async (request) => void state.requests.set(request.id, request),
    removeRequest: async ({ id }) => void state.requests.delete(id),
    appendEvidence: async (_, evidence) => void state.evidence.push(...evidence),
    appendJournal: async () => undefined,
    enqueue: async (_, effects) => void state.effects.push(...effects),
    keepIntent: async (intent, insteadOf) => {
      const kept = state.intents.get(key(intent))
      const isOfToday = kept?.prepared.certificateSha256 === intent.prepared.certificateSha256
      const stays = kept !== undefined && (kept.value !== null || isOfToday)
      return stays && kept.versionId !== insteadOf ? kept : keep(intent)
    },
    findLook: async (signatureId) => state.looks.get(signatureId) ?? null,
    keepLook: async (look) => void state.looks.set(look.signatureId, look),
    ...changingRemotes(state.remotes),
    findRelease: async (id) => state.releases.get(id) ?? null,
    insertRelease: async (release) => void state.releases.set(release.id, release),
    passRelease: async (id, passed) => {
      const release = state.releases.get(id)
      if (release !== undefined) state.releases.set(id, { ...release, passed })
    },
    noteSignerKey: async (key) => void state.signerKeys.set(key.keyLabel, key),
    forgetSignerKey: async (keyLabel) => void state.signerKeys.delete(keyLabel),
    saveProvenName: async () => undefined,
    removeLooks: async (ids) => {
      for (const id of ids) state.looks.delete(id)
    },
    insertLink: async () => undefined,
    insertSession: async () => undefined,
    countSessions: async () => 0,
    servedPages: async () => [],
    proveSession: async () => undefined,
    sessionLanguage: async () => null,
    lockCode: async () => null,
    saveCode: async () => undefined,
    addToday: async () => 1,
    ...people,
    ...company,
    ...listeners,
    ...managed,
    ...noSeals,
    ...noValidations,
    ...noProtocols,
    keepValue: async (intent, value) => {
      const kept = state.intents.get(key(intent)) ?? intent
      return kept.value === null && kept.versionId === intent.versionId ? keep({ ...kept, value }) : kept
    },
    keepStamp: async (intent, stamp) => {
      const kept = state.intents.get(key(intent)) ?? intent
      return kept.stamp === null && kept.versionId === intent.versionId ? keep({ ...kept, stamp }) : kept
    },
  }
}

/** The mark is the signer's id, appended; the raw value is a number that no second use of the key repeats. */
function partsOn(transact: Transact, read: Read) {
  const blobs = new Map([["blob of d1", bytesOf("upload")]])
  const held = (name: string): Held => {
    const sizeBytes = blobs.get(name)?.length ?? 0
    const file = { path: name, key: new Uint8Array(), context: "", sizeBytes }
    return {
      businessId: "b1",
      kind: "demo",
      name,
      sizeBytes,
      sha256: "",
      file,
      release: async () => undefined,
    }
  }
  let uses = 0
  let stamps = 0
  let ids = 0
  const parts: SigningParts = {
    transact,
    read,
    certificateOf: async () => "",
    isInVain: async () => false,
    holdDocument: async ({ blob }) => held(blob.name),
    holdBytes: async (_, bytes) => {
      const whole: number[] = []
      for await (const piece of bytes) whole.push(...piece)
      const name = `blob ${blobs.size}`
      blobs.set(name, Uint8Array.from(whole))
      return held(name)
    },
    readHeld: async function* ({ name }) {
      yield blobs.get(name) ?? new Uint8Array()
    },
    inspectPdf: async () => ({ ...described, locked: false, active: [], view: [] }),
    keepHeld: async ({ name }) => ({ name, wrappedKey: new Uint8Array(), keyVersion: 1 }),
    prepareMark: async (_, { fieldName }) => ({
      signedAttributes: "",
      certificateSha256: "",
      baseSha256: "",
      engine: fieldName.replace("Paraph-", ""),
    }),
    signBytes: async () => {
      uses += 1
      return Uint8Array.of(uses)
    },
    stampValue: async () => {
      stamps += 1
      return Uint8Array.of(stamps)
    },
    finishMark: ({ engine }) => bytesOf(`+${engine}`),
    raiseMarks: async (_, __, { to }) => ({
      tail: bytesOf(to === "B-LTA" ? "=" : "-"),
      archiveEndsAt: to === "B-LTA" ? new Date(SAMPLE_TIME.getTime() + 86_400_000) : null,
    }),
    sha256Of: (of) => ("base64" in of ? `hash of ${of.base64}` : `hash of ${[...of].join()}`),
    destroySignerKey: async () => undefined,
    now: () => SAMPLE_TIME,
    newId: () => `v${++ids}`,
    pass: () => undefined,
  }
  return { parts, blobs, keyUses: () => uses, stampsBought: () => stamps }
}

/** Of a text in ASCII. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
