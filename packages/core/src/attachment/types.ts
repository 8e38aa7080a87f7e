const OOXML = "application/vnd.openxmlformats-officedocument"
const ODF = "application/vnd.oasis.opendocument"

/** Decisions, "attachments": what is taken, and the endings that a name may have; the first one is given to one that has none. */
export const ATTACHMENT_TYPES = {
  "application/pdf": ["pdf"],
  "image/gif": ["gif"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
  "text/plain": ["txt", "text", "log", "md"],
  "text/csv": ["csv"],
  "application/msword": ["doc"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.ms-powerpoint": ["ppt"],
  [`${OOXML}.wordprocessingml.document`]: ["docx"],
  [`${OOXML}.spreadsheetml.sheet`]: ["xlsx"],
  [`${OOXML}.presentationml.presentation`]: ["pptx"],
  [`${ODF}.text`]: ["odt"],
  [`${ODF}.spreadsheet`]: ["ods"],
  [`${ODF}.presentation`]: ["odp"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

export type AttachmentType = keyof typeof ATTACHMENT_TYPES

/** RFC 9110, 8.3.1: read without regard to case; null for what is not taken. A text is UTF-8 whatever its parameters say. */
export function attachmentType(contentType: string): AttachmentType | null {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  return Object.hasOwn(ATTACHMENT_TYPES, essence) ? (essence as AttachmentType) : null
}

export const endingsOf = (type: string): readonly string[] => {
  const known = attachmentType(type)
  return known === null ? ["bin"] : ATTACHMENT_TYPES[known]
}
