// What a revision did, before it is known whom that concerns: the same change is rightful after one signature and
// forbidden after another.

import type { Box } from "../content/page-frame.ts"

export type ChangeKind =
  | "signature"
  | "form-fill"
  | "annotation"
  | "validation-data"
  | "timestamp"
  | "metadata"
  | "structure"
  | "page"
  | "content"
  | "font"
  | "image"
  | "action"
  | "other"

/**
 * What must be allowed for it (ISO 32000-2, table 257): nothing, as with validation data; filling in and signing; a new place
 * on a page where somebody signs, which is more than signing to whoever has certified the page; annotating, which nobody
 * may unless a certification says so; or it is no change that any signature allows.
 */
export type Needs = "nothing" | "filling" | "placing" | "annotating" | "never"

export type Finding = {
  readonly path: string
  readonly kind: ChangeKind
  readonly needs: Needs
  /** Counted from 0. */
  readonly page?: number | undefined
  /** The field whose value it is; somebody may have locked it. */
  readonly field?: string | undefined
  /** The field gets another value. `wasEmpty` is of all objects of its full name, before this revision. */
  readonly fill?: { readonly wasEmpty: boolean } | undefined
  /** What it puts on the page has no size: nobody has to look whether it is seen. */
  readonly isUnseen?: boolean
  /** It is reported only where a signature forbids it. */
  readonly isQuiet?: boolean
}

/** Where something new may be drawn. */
export type Drawn = {
  readonly page: number
  readonly rect: Box
  readonly why: "signature" | "form-fill" | "annotation"
  /** The value of a text field: what is drawn must say the same. */
  readonly says?: string | undefined
  /** The field that was filled in. */
  readonly field?: string | undefined
}

/** What one revision did. */
export type Judged = {
  readonly revision: number
  readonly findings: readonly Finding[]
  readonly drawn: readonly Drawn[]
}

/**
 * Of a value that changed after a signature. "later": the field was empty, and a later signature covers the value;
 * "replaced": the field had another value when it was signed; "unsigned": no later signature covers the value.
 */
export type FillStatus = "later" | "replaced" | "unsigned"

/** What a revision did, as a signature made before it sees it. */
export type Change = {
  /** From the catalog, such as "/Pages/Kids[0]/Contents". */
  readonly path: string
  readonly kind: ChangeKind
  /** Counted from 1. */
  readonly page?: number
  /** No rule explains it, or a signature forbids it. */
  readonly undefined: boolean
  /** The full name of the form field whose value it is. */
  readonly field?: string
  readonly fill?: FillStatus
}
