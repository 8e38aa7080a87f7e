// For the tests: a child that does what a broken parser would do.

import { answerOnce } from "../../pdf/answer.ts"

type Asked = { readonly deed: "loop" | "hog" | "burst" | "deep" | "garbage" | "exit" | "fault" }

answerOnce<Asked>(async ({ deed }) => {
  if (deed === "loop") for (;;);
  if (deed === "hog") await hog([])
  if (deed === "burst") new Uint8Array(2_000_000_000).fill(1)
  if (deed === "deep") deep(0)
  if (deed === "garbage") process.stdout.write(Buffer.alloc(64, 0xff))
  if (deed === "exit") process.exit(3)
  if (deed === "fault") throw new TypeError("a mistake of ours")
  return new Promise<never>(() => setInterval(() => undefined, 1000))
})

// Outside V8's own heap, where its flag for the old space does not reach.
async function hog(held: Uint8Array[]): Promise<never> {
  for (;;) {
    held.push(new Uint8Array(16_000_000).fill(1))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function deep(level: number): number {
  return deep(level + 1) + 1
}
