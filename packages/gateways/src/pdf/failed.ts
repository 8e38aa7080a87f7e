/** More documents wait than there is room for; the caller tries again later. */
export class PdfRoomsBusy extends Error {
  constructor() {
    super("Too many documents are being read at the moment.")
    this.name = "PdfRoomsBusy"
  }
}

/** Whom a signature waits for before it can be raised. */
export type Want = "timestamp" | "revocation" | "signature"

/** The document is sound, but somebody outside has not given what it needs, or has given something wrong. */
export class PdfUnmet extends Error {
  readonly want: Want
  constructor(want: Want, message: string) {
    super(message)
    this.name = "PdfUnmet"
    this.want = want
  }
}

/** What was asked for cannot be had of this document (a page that it does not have) or of any (a text without letters). */
export class PdfAskedWrongly extends Error {
  constructor(message: string) {
    super(message)
    this.name = "PdfAskedWrongly"
  }
}
