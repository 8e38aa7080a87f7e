/** More documents wait than there is room for; the caller tries again later. */
export class PdfRoomsBusy extends Error {
  constructor() {
    super("Too many documents are being read at the moment.")
    this.name = "PdfRoomsBusy"
  }
}

/** What was asked for cannot be had of this document (a page that it does not have) or of any (a text without letters). */
export class PdfAskedWrongly extends Error {
  constructor(message: string) {
    super(message)
    this.name = "PdfAskedWrongly"
  }
}
