// The process that holds the HSM: it alone loads the vendor's module and reads the PIN (R33).

import { KeysFailed } from "./failed.ts"
import { endsTheProcess, type Failure, type FromChild, type ToChild } from "./protocol.ts"
import { openToken, type Token } from "./token.ts"

let token: Token | null = null

process.on("message", (message: ToChild) => {
  if (message.type === "open") {
    try {
      token = openToken(message)
    } catch (error) {
      say({ type: "failed", failure: asFailure(error) }, true)
    }
    return
  }
  const { id, operation } = message
  token?.run(operation).then(
    (value) => say({ type: "done", id, value }, false),
    (error) => {
      const failure = asFailure(error)
      say({ type: "failed", id, failure }, endsTheProcess(failure))
    },
  )
})

// The parent is gone: so is the reason to hold a login.
process.on("disconnect", () => process.exit())

function say(message: FromChild, andEnd: boolean): void {
  process.send?.(message, () => {
    if (andEnd) process.exit(1)
  })
}

function asFailure(error: unknown): Failure {
  if (error instanceof KeysFailed) return { code: error.code, message: error.message }
  return { code: "device", message: error instanceof Error ? error.message : "unknown" }
}
