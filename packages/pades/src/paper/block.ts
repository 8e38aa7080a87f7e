// What a paper is made of.

export type Paper = {
  readonly title: string
  /** BCP 47. */
  readonly language: string
  readonly madeAt: Date
  readonly producer: string
  readonly blocks: readonly Block[]
  /** At the foot of each page. */
  readonly footer: (page: number, pages: number) => readonly [left: string, right: string]
  /** A file inside the paper, for programs: what it was written from. The paper is PDF/A-3a by it, else PDF/A-2a. */
  readonly attachment?: PaperAttachment
}

export type PaperAttachment = {
  /** Letters, digits, full stops and hyphens. */
  readonly name: string
  readonly mediaType: string
  /** What it is, in the language of the paper. */
  readonly description: string
  readonly bytes: Uint8Array
}

export type Sign = "good" | "unclear" | "bad"

export type Block =
  | { readonly type: "heading"; readonly level: 1 | 2 | 3; readonly text: string; readonly sign?: Sign }
  | { readonly type: "paragraph"; readonly text: string; readonly look?: "plain" | "grey" }
  /** A box that is seen before everything else: a sign that is not colour alone, and what it means. */
  | { readonly type: "verdict"; readonly sign: Sign; readonly heading: string; readonly text: string }
  /** What is on the left of the other. */
  | { readonly type: "rows"; readonly rows: readonly Row[] }
  | { readonly type: "list"; readonly items: readonly string[] }
  | { readonly type: "pictures"; readonly pictures: readonly Picture[] }
  | { readonly type: "page" }

export type Row = { readonly label: string; readonly text: string }

/** Beside each other, as large as they fit. */
export type Picture = {
  readonly caption: string
  /** PNG of 8 bits, grey or red, green and blue; what is none is shown as an empty frame with `absent` in it. */
  readonly png: Uint8Array | null
  readonly absent: string
}
