// The process of a clerk (clerk.ts): one act after the other, each in a transaction of its own.

import { adminAnswer } from "../../apps/cli/src/admin.ts"
import { loadConfig } from "../../apps/server/src/config.ts"
import type { Answered, Asked } from "./clerk.ts"

let before: Promise<void> = Promise.resolve()

process.on("message", ({ id, words }: Asked) => {
  before = before.then(async () => {
    const answer = await adminAnswer(loadConfig, words).then(
      (printed): Answered => ({ id, printed }),
      (error: Error): Answered => ({ id, failed: error.message }),
    )
    process.send?.(answer)
  })
})
