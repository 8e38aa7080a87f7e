// What a caller can be told about a PDF that we do not sign; the interface has a `file.pdf.*` key for each.

export type PdfRefusedCode = "corrupt" | "encrypted" | "locked" | "xfa" | "too-complex"

export class PdfRefused extends Error {
  readonly code: PdfRefusedCode
  constructor(code: PdfRefusedCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "PdfRefused"
    this.code = code
  }
}
