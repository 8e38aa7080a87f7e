// The process that sees one picture which somebody sent, and makes pixels of it. sharp is native code: it meets a stranger's
// picture here and nowhere else.

import { ImageRefused } from "@paraph/pades/image-refused"
import sharp from "sharp"
import { answerTold } from "./answer.ts"
import { cleaned, cleanedLogo } from "./clean-picture.ts"
import { PdfAskedWrongly } from "./failed.ts"

/** What it is for says how it is cleaned. */
export type PictureTold = { readonly picture: Uint8Array; readonly use: PictureUse }
export type PictureUse = "signature" | "logo"

/** The body is red, green and blue of each pixel, from the top left. */
export type PictureCleaned = { readonly width: number; readonly height: number }

sharp.concurrency(1)
sharp.cache(false)

answerTold<PictureTold>(async ({ picture, use }) => {
  try {
    const { width, height, rgb } = await (use === "logo" ? cleanedLogo(picture) : cleaned(picture))
    const value: PictureCleaned = { width, height }
    return { value, body: rgb }
  } catch (error) {
    if (error instanceof ImageRefused) throw new PdfAskedWrongly(error.message)
    throw error
  }
})
