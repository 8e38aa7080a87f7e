import type { I18n } from "@lingui/core"
import type { Indication, SignerInfo, Validation, ValidationInfo } from "../../api/validation.ts"
import { sayQuality } from "../../parts/said.ts"

/** Plain words first; what the standard calls it stands in brackets. */
export function sayIndication(i18n: I18n, indication: Indication): string {
  switch (indication) {
    case "TOTAL-PASSED":
      return i18n._("Valid")
    case "INDETERMINATE":
      return i18n._("Cannot be decided")
    case "TOTAL-FAILED":
      return i18n._("Not valid")
  }
}

export const termOf = ({
  indication,
  subIndication,
}: Pick<ValidationInfo, "indication" | "subIndication">) =>
  subIndication === null ? indication : `${indication}, ${subIndication}`

/** What the verdict means for whoever has the document in hand. */
export function sayWhole(i18n: I18n, indication: Indication, answer: Validation): string {
  const count = answer.signatures
  const signers = answer.additionalInfos.signer ?? []
  switch (indication) {
    case "TOTAL-PASSED":
      if (signers.some(isFilled))
        return i18n._(
          "{count, plural, one {The signature is genuine. Form fields were filled in after it.} other {All # signatures are genuine. Form fields were filled in after one of them.}}",
          { count },
        )
      return i18n._(
        "{count, plural, one {The signature is genuine, and what was signed has not been altered.} other {All # signatures are genuine, and what was signed has not been altered.}}",
        { count },
      )
    case "INDETERMINATE":
      return answer.visualDifferences
        ? i18n._(
            "The document does not look as it did when it was signed. Please compare the pictures before you rely on it.",
          )
        : signers.some(isRefilled)
          ? i18n._(
              "A value of the form is not the one that was signed. Please check it before you rely on it.",
            )
          : i18n._(
              "{count, plural, one {There is too little proof to call the signature valid. That does not mean that it is false.} other {There is too little proof to call every signature valid. That does not mean that one is false.}}",
              { count },
            )
    case "TOTAL-FAILED":
      return i18n._(
        "{count, plural, one {The signature does not hold. Please do not rely on this document.} other {At least one signature does not hold. Please do not rely on this document.}}",
        { count },
      )
  }
}

/** Form fields were filled in after this signature: what is there now is more than what was signed. */
export const isFilled = ({ changes }: Pick<SignerInfo, "changes">): boolean =>
  changes.some(({ kind }) => kind === "form-fill")

/** One of their values replaced what was signed, or no later signature covers it. */
export const isRefilled = ({ changes }: Pick<SignerInfo, "changes">): boolean =>
  changes.some(({ fill }) => fill === "replaced" || fill === "unsigned")

export function saySignature(i18n: I18n, signer: SignerInfo): string {
  const { indication, visualDifferences } = signer
  switch (indication) {
    case "TOTAL-PASSED":
      if (isFilled(signer))
        return i18n._("The signature is genuine. Form fields were filled in after it; they are listed below.")
      return i18n._("The signature is genuine, and what was signed has not been altered.")
    case "INDETERMINATE":
      return visualDifferences
        ? i18n._("The document does not look as it did when this signature was made.")
        : isRefilled(signer)
          ? i18n._("A value of the form is not the one that this signature covers.")
          : i18n._(
              "There is too little proof to call this signature valid. That does not mean that it is false.",
            )
    case "TOTAL-FAILED":
      return i18n._("This signature does not hold. Please do not rely on it.")
  }
}

/** "Qualified (QES) under EU law". */
export function sayKind(i18n: I18n, { quality, legislation }: SignerInfo): string {
  const [name] = sayQuality(i18n, quality)
  switch (legislation) {
    case "WORLD":
      return name
    case "CH":
      return i18n._("{quality} under Swiss law", { quality: name })
    case "EU":
      return i18n._("{quality} under EU law", { quality: name })
    case "CH_EU":
      return i18n._("{quality} under Swiss and EU law", { quality: name })
  }
}

/** Only of a good one: what does not hold is equal to nothing. */
export function sayRank(i18n: I18n, { quality, indication }: SignerInfo): string | null {
  if (indication !== "TOTAL-PASSED") return null
  switch (quality) {
    case "SES":
      return i18n._("The simplest kind: it says less about who signed.")
    case "AES":
      return i18n._("It belongs to one person or company alone, and shows which.")
    case "QES":
      return i18n._("Equal to a signature by hand where the law asks for one.")
  }
}

/** With seconds and zone: it may be about which came first. */
export const sayMoment = (i18n: I18n, at: string | Date): string =>
  new Intl.DateTimeFormat(i18n.locale, { dateStyle: "long", timeStyle: "long" }).format(new Date(at))

export function sayProof(i18n: I18n, proof: SignerInfo["timeProof"]): string {
  switch (proof) {
    case "time-stamp":
      return i18n._("Proved by a time-stamp.")
    case "claim":
      return i18n._("Only claimed by the signer: nothing proves it.")
    case "none":
      return i18n._("The signature does not say when it was made, and nothing proves it.")
  }
}

export function sayPages(i18n: I18n, pages: readonly number[]): string {
  const list = new Intl.ListFormat(i18n.locale).format(pages.map(String))
  return i18n._(
    "{count, plural, one {Page {list} looks different from when it was signed.} other {Pages {list} look different from when they were signed.}}",
    { count: pages.length, list },
  )
}
