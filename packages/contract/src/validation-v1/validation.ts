import type { Held } from "@paraph/core/document/ports"
import { LANGUAGES, type Language } from "@paraph/core/language"
import { Refusal } from "@paraph/core/refusal"
import {
  type AskedValidation,
  FILL_STATUSES,
  LEGISLATIONS,
  type Validation as Model,
  QUALITIES,
  type Reason,
  type SignatureReport,
  TIME_PROOFS,
  VIEWS,
  type View,
} from "@paraph/core/validation/model"
import { isValid, toldChanges, verdictOn } from "@paraph/core/validation/verdict"
import { Type } from "typebox"
import { closed, DateTime, orNull, Uuid } from "../shared/fields.ts"

/** Part 4.6; decisions, "Validation interface". What it does not know it refuses: a misspelt demand must not pass (choice 412). */

const SignatureQuality = Type.Enum([...QUALITIES])
const Law = Type.Enum([...LEGISLATIONS], {
  description: "Under which law the quality holds. WORLD: under none that gives it a rank of its own.",
})
const Flag = (description: string) => Type.Optional(Type.Enum(["true", "false"], { description }))

const InLanguage = (description: string) => Type.Optional(Type.Enum([...LANGUAGES], { description }))

const INFOS = ["validation", "format", "signer"] as const
const Info = Type.Enum([...INFOS])

export const ValidateQuery = Type.Object(
  {
    quality: Type.Optional(Type.Enum([...QUALITIES], { description: "At least this." })),
    legislation: Type.Optional(
      Type.Enum([...LEGISLATIONS], { description: "Every law that is named. WORLD: whichever." }),
    ),
    longTermValidation: Flag("Whether all that is needed to judge it for years must be in the document."),
    infos: Type.Optional(
      Type.Union([Info, Type.Array(Info, { maxItems: INFOS.length })], {
        description: "Which infos stand in the answer already. May be repeated.",
      }),
    ),
    rejectVisualDifferences: Flag("False: they are told, and reject nothing. True unless given."),
    rejectUndefinedChanges: Flag("False: they are told, and reject nothing. True unless given."),
    lang: InLanguage("In which language `details` and `notes` are said; en unless given."),
  },
  closed,
)
export type ValidateQuery = Type.Static<typeof ValidateQuery>

export const ValidateBody = Type.Object(
  {
    content: Type.String({ description: "Base64 of the PDF" }),
    content_type: Type.Optional(Type.String({ maxLength: 255 })),
  },
  closed,
)
export type ValidateBody = Type.Static<typeof ValidateBody>

export const InfoQuery = Type.Object({ lang: InLanguage("Of the sentences; en unless given.") }, closed)
export type InfoQuery = Type.Static<typeof InfoQuery>

const Verdict = {
  indication: Type.Enum(["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE"]),
  subIndication: orNull(
    Type.String({ description: "As ETSI EN 319 102-1 spells it; null where it was passed." }),
  ),
}

export const ValidationInfo = Type.Object({
  ...Verdict,
  details: Type.Array(Type.String(), { description: "Why, in sentences." }),
})
export type ValidationInfo = Type.Static<typeof ValidationInfo>

export const FormatInfo = Type.Object({
  fileType: Type.Literal("PDF"),
  quality: orNull(Type.String({ description: "What the file claims to be, such as PDF/A-2B." })),
  producer: orNull(Type.String({ description: "The program that the file says it was made by." })),
})
export type FormatInfo = Type.Static<typeof FormatInfo>

const Change = Type.Object({
  path: Type.String({
    description:
      "From the catalog, such as /Pages/Kids[0]/Contents; of a form field with its full name, such as /AcroForm/Fields[0]/V of price.",
  }),
  kind: Type.String(),
  page: orNull(Type.Integer({ description: "Counted from 1." })),
  picture: orNull(Type.Integer({ description: "The number of the difference that shows it." })),
  field: orNull(Type.String({ description: "The full name of the form field whose value changed." })),
  fill: orNull(
    Type.Enum([...FILL_STATUSES], {
      description:
        "Of a value that changed. later: the field was empty, and a later signature covers the value; replaced: the field had another value when it was signed; unsigned: no later signature covers the value.",
    }),
  ),
})

const text = orNull(Type.String())

const NameEstablished = Type.Object(
  {
    by: Type.Enum(["identification", "member"], {
      description: "A provider of identification, or a member of the business that asked for the signature.",
    }),
    provider: orNull(Type.String()),
    at: DateTime,
  },
  { description: "Who established the name of the signer, as the issuer states it in the certificate." },
)
export const SignerInfo = Type.Object({
  field: Type.String({ description: "The name of its field, unique in the document." }),
  valid: Type.Boolean({ description: "It is good, and is what the validation asked for." }),
  ...Verdict,
  details: Type.Array(Type.String(), {
    description: "Why it is not good, in sentences; the weightiest first.",
  }),
  notes: Type.Array(Type.String(), { description: "What else was noticed, and changes nothing." }),
  signer: orNull(Type.String({ description: "As the certificate names them." })),
  time: orNull(
    Type.String({ ...DateTime, description: "When it was made, as far as that is proved; else as claimed." }),
  ),
  timeProof: Type.Enum([...TIME_PROOFS], {
    description: "Whether the time is proved by a time-stamp, only claimed by the signer, or not known.",
  }),
  level: Type.String({ description: "The form of the signature, such as PAdES-BASELINE-LTA." }),
  quality: SignatureQuality,
  legislation: Law,
  longTermValidation: Type.Boolean(),
  visualDifferences: Type.Boolean(),
  undefinedChanges: Type.Boolean(),
  changes: Type.Array(Change, {
    description:
      "What explains the two before, and every form field that was filled in after this signature.",
  }),
  certificate: orNull(
    Type.Object({
      subject: Type.String(),
      issuer: Type.String(),
      serialNumber: Type.String(),
      nameEstablished: orNull(NameEstablished),
    }),
  ),
  optionalInfos: Type.Object({ name: text, contact: text, location: text, reason: text }),
})
export type SignerInfo = Type.Static<typeof SignerInfo>

export const Validation = Type.Object({
  id: Uuid,
  valid: Type.Boolean({
    description: "There is a signature, and every one is good and what was asked for.",
  }),
  signatures: Type.Integer({ minimum: 0, description: "How many there are." }),
  validSignatures: Type.Integer({ minimum: 0, description: "How many of them are valid." }),
  quality: orNull(Type.Enum([...QUALITIES], { description: "The least of all signatures." })),
  legislation: orNull(
    Type.Enum([...LEGISLATIONS], { description: "The laws that all signatures hold under." }),
  ),
  longTermValidation: Type.Boolean(),
  visualDifferences: Type.Boolean(),
  undefinedChanges: Type.Boolean(),
  additionalInfos: Type.Object(
    {
      validation: Type.Optional(ValidationInfo),
      format: Type.Optional(FormatInfo),
      signer: Type.Optional(Type.Array(SignerInfo)),
    },
    { description: "Those that `infos` asked for." },
  ),
})
export type Validation = Type.Static<typeof Validation>

export const DifferenceParams = Type.Object({
  id: Uuid,
  n: Type.String({ pattern: "^(?:0|[1-9][0-9]{0,6})$", description: "As a change calls its picture." }),
})
export type DifferenceParams = Type.Static<typeof DifferenceParams>

export const DifferenceQuery = Type.Object(
  {
    view: Type.Optional(
      Type.Enum([...VIEWS], {
        description:
          "The page before, after, or where they differ, which it is unless given. 404 where there was no such page.",
      }),
    ),
  },
  closed,
)
export type DifferenceQuery = Type.Static<typeof DifferenceQuery>

export const ReportQuery = Type.Object({ lang: InLanguage("en unless given.") }, closed)
export type ReportQuery = Type.Static<typeof ReportQuery>

export function readContent(_: ValidateBody, received: Held | null): Held {
  if (received === null) throw new Refusal("constraint-violated", "The document is missing: content.")
  return received
}

export const readAsked = (query: ValidateQuery): AskedValidation => ({
  quality: query.quality ?? null,
  legislation: query.legislation ?? null,
  longTermValidation: query.longTermValidation === "true",
  // Decisions, "rejecting": unless the caller says false.
  rejectVisualDifferences: query.rejectVisualDifferences !== "false",
  rejectUndefinedChanges: query.rejectUndefinedChanges !== "false",
})

export const readDifference = (
  { id, n }: DifferenceParams,
  { view }: DifferenceQuery,
): { readonly id: string; readonly n: number; readonly view: View } => ({
  id,
  n: Number(n),
  view: view ?? "difference",
})

/** A reason as a sentence; the codes are those of whoever validates. */
export type SayReason = (reason: Reason, language: Language) => string

export function writeValidation(validation: Model, query: ValidateQuery, say: SayReason): Validation {
  const { infos } = query
  const { id, report, asked } = validation
  const wanted = [infos ?? []].flat()
  return {
    id,
    ...verdictOn(report, asked),
    additionalInfos: {
      ...(wanted.includes("validation") && { validation: writeValidationInfo(validation, query, say) }),
      ...(wanted.includes("format") && { format: writeFormat(validation) }),
      ...(wanted.includes("signer") && { signer: writeSigners(validation, query, say) }),
    },
  }
}

export const writeValidationInfo = (
  { report }: Model,
  { lang = "en" }: InfoQuery,
  say: SayReason,
): ValidationInfo => ({
  indication: report.indication,
  subIndication: report.subIndication ?? null,
  details: writeDetails(report.signatures, (reason) => say(reason, lang), UNSIGNED[lang]),
})

const UNSIGNED: Readonly<Record<Language, string>> = {
  en: "The document holds no signature.",
  de: "Das Dokument enthält keine Signatur.",
  fr: "Le document ne contient aucune signature.",
  it: "Il documento non contiene alcuna firma.",
}

type Say = (reason: Reason) => string

function writeDetails(signatures: readonly SignatureReport[], say: Say, unsigned: string): string[] {
  if (signatures.length === 0) return [unsigned]
  return signatures.flatMap(({ field, reasons }) => {
    // With one signature there is nothing to tell apart.
    const whose = signatures.length > 1 ? `${field}: ` : ""
    return reasons.map((reason) => `${whose}${say(reason)}`)
  })
}

export const writeFormat = ({ report: { format } }: Model): FormatInfo => ({
  fileType: format.fileType,
  quality: format.quality ?? null,
  producer: format.producer ?? null,
})

export const writeSigners = (
  { report, asked }: Model,
  { lang = "en" }: InfoQuery,
  say: SayReason,
): SignerInfo[] =>
  report.signatures.map((signature) => writeSigner(signature, asked, (reason) => say(reason, lang)))

const writeSigner = (signature: SignatureReport, asked: AskedValidation, say: Say): SignerInfo => ({
  field: signature.field,
  valid: isValid(signature, asked),
  indication: signature.indication,
  subIndication: signature.subIndication ?? null,
  details: signature.reasons.filter(({ weight }) => weight === "fail").map(say),
  notes: signature.reasons.filter(({ weight }) => weight === "note").map(say),
  signer: signature.signer ?? null,
  time: signature.time ?? null,
  timeProof: signature.timeProof,
  level: signature.level,
  quality: signature.quality,
  legislation: signature.legislation,
  longTermValidation: signature.longTermValidation,
  visualDifferences: signature.visualDifferences,
  undefinedChanges: signature.undefinedChanges,
  changes: toldChanges(signature).map(({ path, kind, page, picture, field, fill }) => ({
    path,
    kind,
    page: page ?? null,
    picture: picture ?? null,
    field: field ?? null,
    fill: fill ?? null,
  })),
  certificate: writeCertificate(signature),
  optionalInfos: {
    name: signature.optionalInfos.name ?? null,
    contact: signature.optionalInfos.contact ?? null,
    location: signature.optionalInfos.location ?? null,
    reason: signature.optionalInfos.reason ?? null,
  },
})

function writeCertificate({ certificate }: SignatureReport): SignerInfo["certificate"] {
  if (certificate === undefined) return null
  const { subject, issuer, serialNumber, nameEstablished = null } = certificate
  return { subject, issuer, serialNumber, nameEstablished }
}
