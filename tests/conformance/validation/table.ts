// Three opinions on each signature, side by side.

import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { PdfRefused } from "@paraph/pades/refused"
import { bytesSource } from "@paraph/pades/source"
import type { ValidationPolicy } from "@paraph/validation/policy"
import { validatePdf } from "@paraph/validation/validate"
import type { ToJudge } from "./inputs.ts"
import type { Opinion, Opinions } from "./oracles.ts"

export type Row = {
  readonly title: string
  readonly field: string
  readonly ours: string
  readonly dss: string
  readonly pyhanko: string
  /** Why ours is not TOTAL-PASSED, the weightiest first. */
  readonly reasons: readonly string[]
}

export async function rowsOf(
  inputs: readonly ToJudge[],
  policy: ValidationPolicy,
  dss: Opinions,
  pyhanko: Opinions,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const input of inputs) {
    const ours = await judgeOurselves(input, policy)
    const others = [dss.get(input.title), pyhanko.get(input.title)]
    const fields = new Set(
      [ours, ...others].flatMap((one) => (isList(one) ? one.map(({ field }) => field) : [])),
    )
    for (const field of fields) {
      const [byDss = "", byPyhanko = ""] = others.map((one) => said(one, field))
      const own = isList(ours) ? ours.find((one) => one.field === field) : undefined
      rows.push({
        title: input.title,
        field,
        ours: said(ours, field),
        dss: byDss,
        pyhanko: byPyhanko,
        reasons: own?.reasons ?? [],
      })
    }
  }
  return rows
}

type Own = Opinion & { readonly reasons: readonly string[] }

async function judgeOurselves(
  { file, at, anchors }: ToJudge,
  policy: ValidationPolicy,
): Promise<readonly Own[] | { readonly error: string }> {
  try {
    const trusted = anchors.map((certificate) => ({ certificate }))
    const { report } = await validatePdf(bytesSource(readFileSync(file)), {
      now: at,
      policy,
      anchors: trusted,
    })
    return report.signatures.map(({ field, indication, subIndication, reasons }) => ({
      field,
      indication,
      ...(subIndication && { subIndication }),
      reasons: reasons.filter(({ weight }) => weight === "fail").map(({ code }) => code),
    }))
  } catch (error) {
    if (error instanceof PdfRefused) return { error: `refused: ${error.message}` }
    throw error
  }
}

function isList<T>(of: readonly T[] | object | undefined): of is readonly T[] {
  return Array.isArray(of)
}

function said(of: readonly Opinion[] | { readonly error: string } | undefined, field: string): string {
  if (!isList<Opinion>(of)) return `error ${(of as { error?: string } | undefined)?.error ?? "not asked"}`
  const found = of.find((one) => one.field === field)
  if (found === undefined) return "not seen"
  if (found.error !== undefined) return `error ${found.error}`
  // pyHanko judges apart whether what happened later is allowed; where it is not, the signature is refused, whatever its engine
  // for the standard says.
  const indication =
    found.changesAllowed === false
      ? "TOTAL-FAILED changes-refused,"
      : (found.indication ?? "").replace("_", "-")
  return `${indication} ${found.subIndication ?? ""}`.trim()
}

export const indicationOf = (told: string): string => told.split(" ")[0] ?? ""

const JUDGED = ["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE"]

/** Those that both of us and DSS have an opinion on. */
export function comparable(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ ours, dss }) => [ours, dss].every((one) => JUDGED.includes(indicationOf(one))))
}

/** We pass a signature that another validator fails, or does not decide on. Each needs a reason. */
export function tooKind(rows: readonly Row[]): readonly Row[] {
  return rows.filter(
    ({ ours, dss, pyhanko }) =>
      indicationOf(ours) === "TOTAL-PASSED" &&
      [dss, pyhanko].some((one) => ["TOTAL-FAILED", "INDETERMINATE"].includes(indicationOf(one))),
  )
}

/** Of these, the ones that `who` fails or does not decide on. */
export function tooKindFor(rows: readonly Row[], who: "dss" | "pyhanko"): readonly Row[] {
  return tooKind(rows).filter((row) => ["TOTAL-FAILED", "INDETERMINATE"].includes(indicationOf(row[who])))
}

export const fileOf = ({ title }: Row): string => basename(title.replace(/ (later|then)$/, ""))

/** pyHanko refuses what happened after these; EU DSS passes them, and so do we. docs/validation-differences.md says what it was. */
export const EXPLAINED: readonly string[] = [
  "PAdES-LT.pdf",
  "Signature-P-HU_POL-7.pdf",
  "pades-lta-copied-doctst.pdf",
  "pades-ocsp-archiveCutOff-invalid.pdf",
  "pades-tst-with-orphan-refs.pdf",
]
