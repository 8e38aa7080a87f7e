export type ImageRefusedCode = "format" | "too-large" | "unreadable"

export class ImageRefused extends Error {
  readonly code: ImageRefusedCode
  constructor(code: ImageRefusedCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "ImageRefused"
    this.code = code
  }
}
