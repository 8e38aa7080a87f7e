// I3, I4, I5: what was signed was signed once, over what was shown, and everybody can verify it.
import { readFileSync } from "node:fs"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { trustedCertificates } from "@paraph/verifying/take-in"
import { verifyFiles } from "@paraph/verifying/verify"
import { judge, pdfsigOf, rootFiles } from "../../../service/judges.ts"
import type { Clients } from "../clients.ts"
import type { Rig } from "../rig.ts"
import { pdfOf } from "../story.ts"
import { isSame, type Now } from "./answers.ts"
import type { Breach, Invariant } from "./breach.ts"

/** One of so many is also shown to pyHanko and OpenSSL, who take a second each. */
const ALSO_BY_OTHERS = 10

export async function checkDocuments(
  rig: Rig,
  clients: Clients,
  found: readonly Now[],
  breaches: Breach[],
): Promise<number> {
  const signed = found.filter(({ body }) => body?.status_overall === "SIGNED")
  const trusted = rootFiles().flatMap((file) =>
    trustedCertificates({ name: file, bytes: readFileSync(file) }),
  )
  for (const [index, { story, body }] of signed.entries()) {
    const wrong = (invariant: Invariant, what: string) =>
      breaches.push({ invariant, what: `${story.tag}: ${what}` })
    const path = `/v2/documents/${body?.document_id}/content`
    const document = await clients.askFor(story.business)("check document", (api) => api.get(path))
    if (document?.status !== 200) {
      wrong("I1", `its document answers ${document?.status}`)
      continue
    }
    const { bytes } = document
    if (!isSame(bytes, story)) wrong("I1", "its document is not the one that was taken home")
    const first = pdfOf(story.tag)
    if (!bytes.subarray(0, first.length).equals(first)) wrong("I4", "it does not begin with what was sent")
    const signatures = readSignatures(openPdf(bytesSource(bytes))).filter(({ type }) => type === "approval")
    if (signatures.length !== story.signers.length) wrong("I3", `${signatures.length} signatures in the PDF`)
    const { standing } = await verifyFiles({
      files: [{ name: "signed.pdf", bytes }],
      archives: [],
      trusted,
      logKeys: [],
      now: rig.now(),
    })
    if (standing === "fails") wrong("I5", "ours: it fails")
    const verdicts = await pdfsigOf(bytes)
    if (
      verdicts.length !== story.signers.length ||
      verdicts.some((verdict) => verdict !== "Signature is Valid.")
    )
      wrong("I5", `poppler: ${verdicts.join(" ")}`)
    if (index % ALSO_BY_OTHERS !== 0) continue
    const { pyhanko, openssl } = await judge(bytes)
    if (!pyhanko.every(({ bottomLine }) => bottomLine)) wrong("I5", `pyHanko: ${JSON.stringify(pyhanko)}`)
    if (!/success/i.test(openssl)) wrong("I5", `OpenSSL: ${openssl}`)
  }
  const twice = await rig.sql(`select signature_id, count(*) from evidence where type = 'signature.signed'
    group by signature_id having count(*) > 1`)
  if (twice !== "") breaches.push({ invariant: "I3", what: `signed twice: ${twice}` })
  return signed.length
}
