// The ways in which a document can be sent beside JSON: as a form (RFC 7578) and as it is.

export type FormPart = {
  readonly name: string
  readonly value: string | Uint8Array
  /** With one of these two, a part is a file. */
  readonly fileName?: string
  readonly contentType?: string
}

const BOUNDARY = "paraph-test-boundary"

export const FORM = `multipart/form-data; boundary=${BOUNDARY}`

/** As a browser writes it; without `end` the form breaks off before its last line. */
export function form(parts: readonly FormPart[], { end = true } = {}): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName, contentType }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(fileName === undefined ? "" : `; filename="${fileName}"`),
    Buffer.from(contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`),
    Buffer.from("\r\n\r\n"),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ])
  return Buffer.concat([...pieces, Buffer.from(end ? `--${BOUNDARY}--\r\n` : "")])
}

export const titlePart = (title: string): FormPart => ({ name: "title", value: title })

export const filePart = (pdf: Uint8Array, contentType = "application/pdf"): FormPart => ({
  name: "content",
  value: pdf,
  fileName: "contract.pdf",
  contentType,
})
