// A signed PDF in, the report out: reads the document, looks at what happened after each signature, asks the world for what
// is missing, and judges. A bad signature is an answer; only a file that cannot be read at all throws `PdfRefused`.

import { type Differences, findDifferences } from "@paraph/pades/differences"
import { openPdf } from "@paraph/pades/document"
import type { Source } from "@paraph/pades/source"
import type { Certificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { createContext } from "./context.ts"
import { fetchEvidence, newAsking } from "./fetch-evidence.ts"
import { judge } from "./judge.ts"
import { type Collection, createCollection } from "./material/collection.ts"
import { gather } from "./material/gather.ts"
import type { Material } from "./material/material.ts"
import { DEFAULT_POLICY } from "./policy/default-policy.ts"
import type { ValidationPolicy } from "./policy/policy.ts"
import type { Trust, TrustAnchor } from "./qualification/trust.ts"
import type { DocumentReport } from "./report.ts"
import type { TrustService } from "./trusted-list/trusted-list.ts"

export type ValidateOptions = {
  readonly now: Date
  readonly policy?: ValidationPolicy
  /** Whom the operator trusts. */
  readonly anchors: readonly TrustAnchor[]
  /** The services of trusted lists that may belong to these certificates; `servicesFor` finds them. */
  readonly servicesFor?: (certificates: readonly Certificate[]) => Promise<readonly TrustService[]>
  /** Without it, what is not in the document is missing. */
  readonly revocation?: RevocationPorts
}

export type Validated = {
  readonly report: DocumentReport
  /** Pages that may look otherwise than when they were signed, for whoever can draw them. */
  readonly toCompare: readonly ToCompare[]
}

export type ToCompare = {
  readonly field: string
  /** The length of the file when it was signed. */
  readonly before: number
  readonly pages: Differences["pages"]
}

export async function validatePdf(source: Source, options: ValidateOptions): Promise<Validated> {
  const { now, policy = DEFAULT_POLICY } = options
  // What most readers open without asking, we judge without asking.
  const pdf = openPdf(source, { password: "" })
  const collection = createCollection()
  const gathered = gather(pdf, collection)
  const all = [...gathered.signatures, ...gathered.timestamps].flatMap(({ pdf: one }) => one ?? [])
  const differences = findDifferences(pdf, all)
  const { material, trust } = await withTheWorld(gathered, collection, policy, options)
  const changes = new Map([...differences].map(([field, found]) => [field, found.changes]))
  return {
    report: judge(material, { policy, now, trust, changes }),
    toCompare: gathered.signatures.flatMap(({ pdf: { fieldName, byteRange } }) => {
      const pages = differences.get(fieldName)?.pages ?? []
      if (byteRange === undefined || pages.length === 0) return []
      return { field: fieldName, before: byteRange[2] + byteRange[3], pages }
    }),
  }
}

async function withTheWorld(
  gathered: Omit<Material, "evidence">,
  collection: Collection,
  policy: ValidationPolicy,
  { now, anchors, servicesFor, revocation }: ValidateOptions,
): Promise<{ readonly material: Material; readonly trust: Trust }> {
  const services = async () => (await servicesFor?.(collection.evidence().certificates)) ?? []
  let trust: Trust = { anchors, services: await services() }
  const asking = revocation && newAsking(collection, revocation)
  // Issuers come first, and then what is known of those whom they issued.
  for (let round = 0; asking !== undefined && round < 2; round++) {
    const context = createContext(policy, now, trust, collection.evidence())
    if (!(await fetchEvidence(context, gathered, asking))) break
    trust = { anchors, services: await services() }
  }
  return { material: { ...gathered, evidence: collection.evidence() }, trust }
}
