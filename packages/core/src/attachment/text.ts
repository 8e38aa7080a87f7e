export type TextCheck = {
  readonly push: (piece: Uint8Array) => void
  /** Whether all of it was UTF-8 without control characters, and ended where a character ends. */
  readonly isText: () => boolean
}

/** Looks at one byte after the other, while they go by; after the first that is none of a text at no more of them. */
export function createTextCheck(): TextCheck {
  let state = BETWEEN
  return {
    push: (piece) => {
      // In variables of its own: this is the loop in which tens of millions of bytes are looked at.
      let now = state
      for (let at = 0; at < piece.length && now !== BAD; at++) now = NEXT[now + (piece[at] ?? 0)] ?? BAD
      state = now
    },
    isText: () => state === BETWEEN,
  }
}

/** Each state is the place in `NEXT` where its 256 answers begin. */
const place = (state: number): number => state << 8
const BETWEEN = place(0)
const ONE_MORE = place(1)
const TWO_MORE = place(2)
const THREE_MORE = place(3)
const BAD = place(9)

/** Bytes from, to, and what they lead to; everything else leads to the end. */
type Step = readonly [from: number, to: number, next: number]

/** The Unicode Standard, table 3-7, less the control characters (C0 but tab, line and page ends; DELETE; C1). */
const STEPS: readonly (readonly Step[])[] = [
  [
    [0x09, 0x0a, BETWEEN],
    [0x0c, 0x0d, BETWEEN],
    [0x20, 0x7e, BETWEEN],
    [0xc2, 0xc2, place(4)],
    [0xc3, 0xdf, ONE_MORE],
    [0xe0, 0xe0, place(5)],
    [0xe1, 0xec, TWO_MORE],
    [0xed, 0xed, place(6)],
    [0xee, 0xef, TWO_MORE],
    [0xf0, 0xf0, place(7)],
    [0xf1, 0xf3, THREE_MORE],
    [0xf4, 0xf4, place(8)],
  ],
  [[0x80, 0xbf, BETWEEN]],
  [[0x80, 0xbf, ONE_MORE]],
  [[0x80, 0xbf, TWO_MORE]],
  // U+0080 to U+009F are control characters.
  [[0xa0, 0xbf, BETWEEN]],
  [[0xa0, 0xbf, ONE_MORE]],
  [[0x80, 0x9f, ONE_MORE]],
  [[0x90, 0xbf, TWO_MORE]],
  [[0x80, 0x8f, TWO_MORE]],
]

const NEXT = new Uint16Array(BAD).fill(BAD)
for (const [state, steps] of STEPS.entries())
  for (const [from, to, next] of steps) NEXT.fill(next, place(state) + from, place(state) + to + 1)
