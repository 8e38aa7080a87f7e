import type { Consent, SignatureRequest } from "../signature-request/model.ts"

/** A request for tests: signers `s1`, `s2` … at the places given, documents `d1` … that all of them sign. */
export function sampleRequest(
  places: readonly (number | null)[],
  more: Partial<SignatureRequest> & { readonly documentCount?: number } = {},
): SignatureRequest {
  const { documentCount = 1, ...fields } = more
  const documents = Array.from({ length: documentCount }, (_, i) => ({
    id: `d${i + 1}`,
    newestId: `d${i + 1}`,
    renewAt: null,
    name: "Contract",
  }))
  return {
    id: "r1",
    businessId: "b1",
    kind: "demo",
    ownerId: "u1",
    owner: "acme-integration",
    title: "Contract",
    message: null,
    lifecycle: "draft",
    inviting: "in-order",
    quality: "SES",
    legislation: null,
    documents,
    signatures: places.map((place, i) => ({
      id: `s${i + 1}`,
      email: `s${i + 1}@example.org`,
      identity: null,
      identification: null,
      vouch: null,
      groupId: null,
      place,
      notify: true,
      language: "en",
      state: "open",
      consent: null,
      turn: null,
      signedAt: null,
      declineReason: null,
      invitedAt: null,
      lastViewedAt: null,
      remindedAt: null,
      mailProblem: null,
      waitingFor: null,
      restricted: false,
      marks: documents.map((d) => ({ documentId: d.id, versionId: null, visual: null })),
    })),
    groups: [],
    observers: [],
    attachments: [],
    creator: null,
    custom: null,
    attachOnSuccess: [],
    expiresAt: null,
    autoDeleteAt: null,
    withdrawMessage: null,
    expiryWarnedAt: null,
    callbacks: {},
    readAccess: [],
    writeAccess: [],
    ccEmailAddresses: [],
    createdAt: SAMPLE_TIME,
    updatedAt: SAMPLE_TIME,
    ...fields,
  }
}

export const SAMPLE_TIME = new Date("2026-11-02T09:00:00.000Z")

export const sampleConsent = (at: Date = SAMPLE_TIME): Consent => ({
  name: "Ann Example",
  version: "ses-2026-11",
  language: "en",
  shown: ["d1"],
  sha256: "00".repeat(32),
  look: { type: "plain" },
  places: [],
  at,
})
