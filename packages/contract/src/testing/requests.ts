import type {
  Mark,
  SignatureRequest as Model,
  Signature as SignatureModel,
  VisualSignature,
} from "@paraph/core/signature-request/model"
import fc from "fast-check"
import { anyText } from "./samples.ts"

export const addresses = {
  signingAppUrl: "https://sign.example",
  previewUrl: (signatureId: string) => `https://sign.example/preview/${signatureId.slice(0, 8)}`,
  callbackUrl: (url: string) => url,
}

export const UPLOADED = "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10"
export const SECOND = "3c2b1a09-8f7e-4d6c-9b5a-4f3e2d1c0b0a"
export const NEWEST = "b9e2a7c4-0c7d-4f0a-8f3b-6d1e2f3a4b5c"
export const GROUP = "5e4d3c2b-1a09-4f8e-8d7c-6b5a4f3e2d1c"
const signedAt = new Date("2026-11-02T09:30:00Z")

export const signature = (id: string, more: Partial<SignatureModel>): SignatureModel => ({
  id,
  email: null,
  identity: null,
  identification: null,
  vouch: null,
  groupId: null,
  place: null,
  notify: true,
  language: "en",
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
  restricted: false,
  marks: [{ documentId: UPLOADED, versionId: null, visual: null }],
  ...more,
})

const ann = signature("0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", {
  email: "ann@example.org",
  place: 1,
  language: "de",
  state: "signed",
  signedAt,
  lastViewedAt: new Date("2026-11-02T09:29:00Z"),
  marks: [{ documentId: UPLOADED, versionId: NEWEST, visual: { type: "form-field", name: "Tenant" } }],
})
const bob = signature("1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", {
  email: "bob@example.org",
  notify: false,
  mailProblem: "550 no such user",
  marks: [
    {
      documentId: UPLOADED,
      versionId: null,
      visual: { type: "positions", positions: [{ page: 2, x: 100, y: 50.5, width: 180, height: 60 }] },
    },
  ],
})
const eve = signature("2a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", {
  email: "eve@example.org",
  identity: {
    provider: "demo_ident",
    firstName: "Eve",
    lastName: "Example",
    mobileNumber: "+41 79 000 00 00",
    issuingCountry: "CH",
    identityReference: null,
  },
  place: 2,
})

/** What `samples/signature-request.json` of each version tells. */
export const model: Model = {
  id: "4f7f2f4e-2b5c-4f3e-9a43-0d5a4dfb1c11",
  businessId: "b1",
  kind: "production",
  ownerId: "u1",
  owner: "acme-integration",
  creator: "carla@acme.example",
  title: "Lease of flat 4",
  message: "Please sign until Friday.",
  custom: "order 4711",
  lifecycle: "started",
  inviting: "in-order",
  quality: "SES",
  legislation: "ZERTES",
  documents: [{ id: UPLOADED, newestId: NEWEST, name: "Lease", renewAt: null }],
  signatures: [ann, bob, eve],
  groups: [],
  observers: [],
  attachments: [
    {
      id: "6f5e4d3c-2b1a-4098-8f7e-6d5c4b3a2f1e",
      filename: "plan.png",
      contentType: "image/png",
      sizeBytes: 9,
      sha256: "00".repeat(32),
    },
  ],
  callbacks: {
    success: "https://acme.example/signed?r=SERVICE_SIGNATURE_REQUEST_ID&d=SERVICE_DOCUMENT_ID",
  },
  attachOnSuccess: ["SIGNED_DOCUMENT"],
  readAccess: ["reader@example.org"],
  writeAccess: ["writer@example.org"],
  ccEmailAddresses: ["archive@acme.example"],
  expiresAt: { date: "2026-12-24", passesAt: new Date("2026-12-24T23:00:00Z") },
  autoDeleteAt: { date: "2027-02-02", beginsAt: new Date("2027-02-01T23:00:00Z") },
  withdrawMessage: null,
  expiryWarnedAt: null,
  createdAt: new Date("2026-11-02T09:00:00Z"),
  updatedAt: signedAt,
}

const place = fc.option(fc.integer({ min: 1, max: 999 }))
const language = fc.constantFrom("en" as const, "de" as const, "fr" as const, "it" as const)
const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
const number = fc.double({ min: 0, max: 14_400, noNaN: true })
const position = fc.record({
  page: fc.nat({ max: 9_999_999 }),
  x: number,
  y: number,
  width: number.map((n) => n + 1),
  height: number.map((n) => n + 1),
})
const visual: fc.Arbitrary<VisualSignature> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }).map((name) => ({ type: "form-field" as const, name })),
  fc
    .array(position, { minLength: 1, maxLength: 3 })
    .map((positions) => ({ type: "positions" as const, positions })),
)
const mark: fc.Arbitrary<Mark> = fc.record({
  documentId: fc.uuid(),
  versionId: fc.option(fc.uuid()),
  visual: fc.option(visual),
})
const identity = fc.record({
  provider: fc.option(anyText({ minLength: 1 })),
  firstName: fc.option(anyText()),
  lastName: fc.option(anyText()),
  mobileNumber: fc.option(fc.constant("+41 79 000 00 00")),
  issuingCountry: fc.option(fc.constant("CH")),
  identityReference: fc.option(anyText()),
})
const anySignature: fc.Arbitrary<SignatureModel> = fc
  .record({
    email: fc.option(fc.emailAddress()),
    identity: fc.option(identity),
    groupId: fc.option(fc.uuid()),
    place,
    notify: fc.boolean(),
    language,
    state: fc.constantFrom("open" as const, "declined" as const, "signed" as const, "error" as const),
    signedAt: fc.option(moment),
    lastViewedAt: fc.option(moment),
    mailProblem: fc.option(anyText()),
    waitingFor: fc.constantFrom(null, "keys", "timestamp", "revocation"),
    marks: fc.array(mark, { minLength: 1, maxLength: 3 }),
  })
  .map((more) => signature("1a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d", more))
const group = fc.record({
  id: fc.uuid(),
  groupId: fc.uuid(),
  place: fc.integer({ min: 1, max: 999 }),
  notify: fc.boolean(),
  restricted: fc.boolean(),
  marks: fc.array(mark, { maxLength: 2 }),
})
const url = fc.webUrl({ withQueryParameters: true })
const document = fc.record({
  id: fc.uuid(),
  newestId: fc.uuid(),
  name: anyText({ minLength: 1 }),
  renewAt: fc.constant(null),
})

/** Any request that the model can hold, whether or not the machine would ever come there. */
export const anyRequest: fc.Arbitrary<Model> = fc
  .record({
    title: anyText({ minLength: 1 }),
    message: fc.option(anyText()),
    custom: fc.option(anyText()),
    creator: fc.option(fc.emailAddress()),
    kind: fc.constantFrom<Model["kind"][]>("demo", "production"),
    lifecycle: fc.constantFrom<Model["lifecycle"][]>("draft", "started", "failed", "expired", "withdrawn"),
    quality: fc.constantFrom<Model["quality"][]>("SES", "AES", "QES", "AES_MINIMAL"),
    legislation: fc.constantFrom<Model["legislation"][]>("ZERTES", "EIDAS", null),
    documents: fc.array(document, { minLength: 1, maxLength: 3 }),
    signatures: fc.array(anySignature, { maxLength: 4 }),
    groups: fc.array(group, { maxLength: 2 }),
    callbacks: fc.record({ success: url, update: url, error: url }, { requiredKeys: [] }),
    attachOnSuccess: fc.uniqueArray(
      fc.constantFrom<Model["attachOnSuccess"][number][]>("SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"),
    ),
    ccEmailAddresses: fc.array(fc.emailAddress(), { maxLength: 2 }),
    expiresAt: fc.option(fc.constant(model.expiresAt ?? { date: "2026-12-24", passesAt: signedAt })),
    autoDeleteAt: fc.option(fc.constant(model.autoDeleteAt ?? { date: "2027-02-02", beginsAt: signedAt })),
    createdAt: moment,
    updatedAt: moment,
  })
  .map((fields) => ({ ...model, ...fields }))
