import type { Caller } from "../access/caller.ts"
import type { IssuedCertificate } from "../certificate/ports.ts"
import type { Held } from "../document/ports.ts"
import type { Language } from "../language.ts"
import type { SealLack } from "../seal/model.ts"
import type { Kind } from "../signature-request/model.ts"
import type { AskedValidation, DifferencePictures, Report, Validation, View } from "./model.ts"

/**
 * Judges the document, in limited processes. A bad signature is an answer; refused is only what is no PDF that can be read
 * ("PDF bytes are dangerous"). Whom a demo key trusts, a production key need not.
 */
export type ValidatePdf = (held: Held, asked: AskedValidation, kind: Kind) => Promise<Validated>
export type Validated = { readonly report: Report; readonly pictures: readonly DifferencePictures[] }

/** What reports are written from: all that was said, and the pictures that are kept. */
export type Reported = Validated & { readonly id: string; readonly asked: AskedValidation }
/** ETSI TS 119 102-2, as XML. */
export type WriteEtsiReport = (of: Reported) => Promise<string>
/** For people, in their language. It names who is about to seal it. */
export type WritePdfReport = (of: Reported & PaperOf) => Promise<Uint8Array>
export type PaperOf = { readonly language: Language; readonly kind: Kind; readonly sealer: string }
/** Who seals reports of that kind today: the name in the certificate, and the key that it is of. */
export type ReportSealer = (kind: Kind) => Promise<SealerOfReports>
export type SealerOfReports = IssuedCertificate & { readonly name: string; readonly keyLabel: string }

/** One language of the report of one validation. */
export type ReportOf = { readonly validationId: string; readonly language: Language }
/** The sealed PDF; null until a worker has made it, which may have to wait for something. */
export type SealedReport = { readonly pdf: Uint8Array | null; readonly waitingFor: SealLack | null }

export type ValidationsReading = {
  /** Of whoever made it; null where it is not there or not any more. */
  readonly findValidation: (caller: Caller, id: string, now: Date) => Promise<Validation | null>
  /** Of a validation that was just found. */
  readonly findDifference: (validationId: string, n: number, view: View) => Promise<Uint8Array | null>
  /** All that are kept of it, by their number. */
  readonly listDifferences: (validationId: string) => Promise<readonly DifferencePictures[]>
  /** Of a validation that was just found; null where nobody has ordered it. */
  readonly findReport: (of: ReportOf) => Promise<SealedReport | null>
  /** For whoever seals it: null where it is sealed already, or nobody wants it any more. */
  readonly findOrderedReport: (of: ReportOf, now: Date) => Promise<Validation | null>
}

export type ValidationsTx = {
  readonly insertValidation: (
    validation: Validation,
    pictures: readonly DifferencePictures[],
  ) => Promise<void>
  /** False where there was none of this caller. */
  readonly removeValidation: (caller: Caller, id: string, now: Date) => Promise<boolean>
  /** True where it is the first order of it; false also where the validation is gone. */
  readonly orderReport: (of: ReportOf, at: Date) => Promise<boolean>
  /** The first one stays; false where there is one, or nobody wants it any more. */
  readonly keepReport: (of: ReportOf, pdf: Uint8Array) => Promise<boolean>
  readonly noteReportWaits: (of: ReportOf, lack: SealLack) => Promise<void>
}
