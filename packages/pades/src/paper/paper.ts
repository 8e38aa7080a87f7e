// A new PDF of text and pictures, for people to read: A4, one column, PDF/A-2a (ISO 19005-2) with tags, so that it can be kept
// for decades and be read aloud; with a file attached PDF/A-3a (ISO 19005-3). The same paper always has the same bytes.

import type { Paper } from "./block.ts"
import { startDesk } from "./desk.ts"
import { setBlock } from "./set-block.ts"
import { writePages } from "./write-paper.ts"

/** A heading looks so far for what it belongs to. */
const LOOK_AHEAD = 4

export function writePaper(paper: Paper): Uint8Array {
  const desk = startDesk()
  for (const [i, block] of paper.blocks.entries())
    setBlock(desk, block, paper.blocks.slice(i + 1, i + 1 + LOOK_AHEAD))
  return writePages(paper, desk)
}
