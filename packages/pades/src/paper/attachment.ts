// A file inside a paper (ISO 32000-2, 7.11.4 and 14.13; ISO 19005-3, 6.8): the whole document is made from it.

import { deflateSync } from "node:zlib"
import { writeStream } from "../appearance/font-objects.ts"
import { writeDate, writeTextString } from "../write/syntax.ts"
import type { PaperAttachment } from "./block.ts"

/** In the catalog; `at` is the number of the file specification. */
export const attached = ({ name }: PaperAttachment, at: number): string =>
  ` /AF [${at} 0 R] /Names << /EmbeddedFiles << /Names [${writeTextString(name)} ${at} 0 R] >> >>`

/** The file specification, and the file behind it. */
export function attachmentObjects(
  { name, mediaType, description, bytes }: PaperAttachment,
  at: number,
  madeAt: Date,
): readonly (string | Uint8Array)[] {
  if (!/^[\w.-]+$/.test(name) || !/^\w+\/\w+$/.test(mediaType)) throw new Error("A file of another name.")
  const file = `${at + 1} 0 R`
  const parameters = `/Params << /Size ${bytes.length} /ModDate ${writeDate(madeAt)} >>`
  const keys = `/Type /EmbeddedFile /Subtype /${mediaType.replace("/", "#2F")} ${parameters} /Filter /FlateDecode`
  return [
    `<< /Type /Filespec /F ${writeTextString(name)} /UF ${writeTextString(name)} /Desc ${writeTextString(description)} /AFRelationship /Data /EF << /F ${file} /UF ${file} >> >>`,
    writeStream(keys, deflateSync(bytes, { level: 9 })),
  ]
}
