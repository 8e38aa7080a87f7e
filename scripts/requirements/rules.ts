// The rules of docs/interface/requirements.md, and which versions of the wire each one concerns.

export type Version = "v1" | "v2" | "v3" | "val"

export type Rule = {
  readonly id: string
  /** Empty where the rule has no version: then only a test that names it whole proves it. */
  readonly versions: readonly Version[]
}

export function readRules(markdown: string): readonly Rule[] {
  const rows = markdown.matchAll(/^\| ([A-Z]+-\d{2}) \| (.+) \|$/gm)
  return [...rows].map(([, id = "", text = ""]) => ({ id, versions: versionsOf(id, text) }))
}

/**
 * Three answers, the first that has one: the table below; the version with which the rule begins ("v1·v2: …",
 * "v2 and v3 login …"); what is usual in its family.
 */
function versionsOf(id: string, text: string): readonly Version[] {
  const head = /^v[123](?:(?:·| and )v[123])*/.exec(text)?.[0]
  const family = id.split("-")[0] ?? ""
  return exceptions[id] ?? (head ? (head.match(/v[123]/g) as Version[]) : (families[family] ?? []))
}

const all: readonly Version[] = ["v1", "v2", "v3"]
const none: readonly Version[] = []

const families: Readonly<Record<string, readonly Version[]>> = {
  AUTH: all,
  DOC: all,
  SR: all,
  ST: all,
  VIS: all,
  EVT: all,
  ERR: all,
  SEAL: all,
  VAL: ["val"],
  // Express QES exists in v2 and v3 (interface, part 1).
  XQ: ["v2", "v3"],
  // The address in the browser and the regions have no version.
  URL: none,
  REG: none,
}

const exceptions: Readonly<Record<string, readonly Version[]>> = {
  // "Every other endpoint, v1·v2·v3 and validation".
  "AUTH-03": [...all, "val"],
  // About the transport, a deployment and the operator's own page, not about an operation of the wire.
  "AUTH-10": none,
  "AUTH-12": none,
  "AUTH-14": none,
  // About the bytes at rest and in the PDF.
  "DOC-11": none,
  "DOC-15": none,
  // Drafts and expiry dates exist in v3 only (SR-22, SR-35; interface, part 2.1).
  "SR-21": ["v3"],
  "SR-22": ["v3"],
  "SR-23": ["v3"],
  "ST-06": ["v3"],
  // "Attachments on a request in v2 and v3".
  "SR-28": ["v2", "v3"],
  // v1 is deprecated, v3 is a preview; v2 is neither.
  "SR-29": ["v1", "v3"],
  // Begins with v1·v2, but goes on with v3.
  "ST-01": all,
  // A property of the state machine, which knows no version.
  "ST-08": none,
  // POST /v1/seal, and "also under v2 and v3".
  "SEAL-01": ["v1"],
  "SEAL-03": ["v2", "v3"],
  "URL-08": all,
  // Problem pages stand under the service's root, outside the versions.
  "ERR-02": none,
  // "Every endpoint", "no answer, on any input": the validation interface too.
  "ERR-05": [...all, "val"],
  "ERR-06": [...all, "val"],
}
