import type { Callback } from "../delivery/model.ts"

export type CallbacksReading = {
  /** In the order in which they were owed. */
  readonly callbacksOf: (requestId: string) => Promise<readonly Callback[]>
}

export type CallbacksTx = {
  /** Owed once more; null when the request has no such callback. */
  readonly replayCallback: (requestId: string, id: string, at: Date) => Promise<Callback | null>
}
