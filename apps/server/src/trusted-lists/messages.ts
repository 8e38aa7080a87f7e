import type { ListSource, LoadedLists } from "@paraph/validation/load-trusted-lists"

/** What a thread is given to begin with. */
export type LoadTold = {
  readonly sources: readonly ListSource[]
  readonly known: ReadonlyMap<string, Uint8Array>
  readonly now: Date
  /** False: only what is known counts. */
  readonly online: boolean
}

export type FromLoad =
  | { readonly type: "asks"; readonly id: number; readonly address: string }
  | { readonly type: "loaded"; readonly loaded: LoadedLists }
  | { readonly type: "failed"; readonly message: string }

export type ToLoad = { readonly id: number; readonly bytes?: Uint8Array; readonly failed?: string }
