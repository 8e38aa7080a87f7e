import { writePaper } from "@paraph/pades/paper"
import { fill } from "@paraph/validation/words-of-language"
import { protocolBlocks } from "./blocks.ts"
import type { Shown } from "./shown.ts"
import { wordsOf } from "./words/of-language.ts"

/** What a thread is given to write it from: plain data. */
export type ProtocolOrder = Shown & {
  readonly madeAt: Date
  /** The story with its proofs (paraph-story/1), as the file that goes inside. */
  readonly storyFile: string
}

/** The protocol on paper, PDF/A-3a, with the story inside it. It is not signed here: whoever has a key seals it. */
export function writeProtocolPaper({ madeAt, storyFile, ...shown }: ProtocolOrder): Uint8Array {
  const { protocol, language } = shown
  const words = wordsOf(language)
  return writePaper({
    title: words.title,
    language,
    madeAt,
    producer: "Paraph",
    blocks: protocolBlocks(shown),
    footer: (page, pages) => [
      fill(words.footer, { id: protocol.requestId }),
      fill(words.pageOf, { page: String(page), pages: String(pages) }),
    ],
    attachment: {
      name: "story.json",
      mediaType: "application/json",
      description: words.check.attachment,
      bytes: Buffer.from(storyFile, "utf8"),
    },
  })
}
