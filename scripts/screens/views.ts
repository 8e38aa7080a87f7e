// What the server would answer in each state of the signing pages (apps/signing/src/api.ts, View).

const contract = {
  id: "11111111-1111-4111-8111-111111111111",
  title: "Rental agreement Bahnhofstrasse 12.pdf",
  sizeBytes: 182_000,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  pageCount: 3,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: null,
  pdfa: "PDF/A-2b",
  place: { type: "free", hints: [{ page: 2, x: 72, y: 130, width: 176, height: 60, why: "words" }] },
}

const exit = { url: "https://app.example.ch/back", host: "app.example.ch", seconds: 45, ask: false }
const noExits = { success: null, error: null, decline: null }

const read = {
  signature: "33333333-3333-4333-8333-333333333333",
  screen: "read",
  language: "en",
  request: {
    title: "Rental agreement Bahnhofstrasse 12",
    message: "Dear Ms Lovelace,\nplease sign by the end of the month. The keys are waiting for you.",
    sender: "Acme Immobilien AG",
    demo: false,
    status: "OPEN",
    quality: "AES",
    expiresAt: "2027-05-31",
  },
  signer: { email: "ada@example.org", name: null },
  people: [
    { name: "François Müller", state: "signed", place: 1, own: false },
    { name: "Ada Lovelace", state: "open", place: 2, own: true },
    { name: "g•••@example.org", state: "open", place: 3, own: false },
  ],
  documents: [contract],
  attachments: [
    {
      id: "22222222-2222-4222-8222-222222222222",
      filename: "House rules.pdf",
      contentType: "application/pdf",
      sizeBytes: 90_000,
    },
  ],
  consent: {
    version: "1",
    language: "en",
    text: "By pressing “Sign” I sign this document electronically. My name, my e-mail address, the time and the document’s fingerprint are kept as evidence.",
  },
  proof: null,
  working: null,
  exits: noExits,
  hideDownload: false,
  waitingFor: 1,
}

export type ScreenView = Omit<typeof read, "proof" | "working" | "exits"> & {
  readonly proof: object | null
  readonly working: object | null
  readonly exits: object
}

const KINDS = ["Lease", "House rules", "Inventory", "Handover of keys"]
const many = Array.from({ length: 50 }, (_, number) => ({
  ...contract,
  id: `33333333-3333-4333-8333-${String(number).padStart(12, "0")}`,
  title: `${number + 1} ${KINDS[number % KINDS.length]}.pdf`,
}))

/** After one's own signature. */
const signed = read.people.map((person) => (person.own ? { ...person, state: "signed" } : person))

const status = (of: string) => ({ ...read.request, status: of })

export const VIEWS = {
  read,
  demo: { ...read, request: { ...read.request, demo: true } },
  many: { ...read, documents: many },
  preview: {
    ...read,
    screen: "preview",
    proof: { sentTo: "a•••@example.org", sentAt: null, resendAt: null, attemptsLeft: 5 },
  },
  working: {
    ...read,
    screen: "working",
    documents: many,
    working: { done: 6, of: 50, othersSigning: false },
  },
  others: { ...read, screen: "working", working: { done: 0, of: 1, othersSigning: true } },
  waiting: { ...read, screen: "done", people: signed },
  done: {
    ...read,
    screen: "done",
    request: status("SIGNED"),
    people: read.people.map((person) => ({ ...person, state: "signed" })),
    waitingFor: 0,
  },
  exit: { ...read, screen: "done", people: signed, exits: { ...noExits, success: exit } },
  "exit-asks": {
    ...read,
    screen: "done",
    people: signed,
    exits: { ...noExits, success: { ...exit, ask: true } },
  },
  "not-your-turn": { ...read, screen: "not-your-turn", waitingFor: 2 },
  declined: { ...read, screen: "declined", exits: { ...noExits, decline: exit } },
  expired: { ...read, screen: "ended", request: { ...status("EXPIRED"), expiresAt: "2026-05-31" } },
  withdrawn: { ...read, screen: "ended", request: status("WITHDRAWN") },
  failed: { ...read, screen: "ended", request: status("ERROR"), exits: { ...noExits, error: exit } },
} satisfies Record<string, ScreenView>
