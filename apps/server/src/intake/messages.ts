import type { RefusalCode } from "@paraph/core/refusal"
import type { Spooled } from "@paraph/store/blobs/spool"

/** What a body is: the document itself, or JSON with the document in it. */
export type BodyForm = "bytes" | "json"

export type TakeOptions = {
  readonly form: BodyForm
  readonly folder: string
  readonly key: Uint8Array
  readonly context: string
  /** Of the document; more are refused. */
  readonly maxBytes: number
  /** Of its Base64, in a body that is JSON; as many as a document may have, unless given. */
  readonly maxBase64Bytes?: number
}

export type ToThread =
  | ({ readonly type: "begin"; readonly id: number } & TakeOptions)
  | { readonly type: "piece"; readonly id: number; readonly bytes: Uint8Array }
  /** Nothing more comes: that was all, or whoever sent it is gone. */
  | { readonly type: "end"; readonly id: number; readonly whole: boolean }

export type Taken = {
  /** Null where JSON came without a document. */
  readonly spooled: Spooled | null
  /** The rest of a JSON body. */
  readonly body: unknown
}

export type FromThread =
  | { readonly type: "took"; readonly id: number; readonly bytes: number }
  | { readonly type: "done"; readonly id: number; readonly taken: Taken }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure }

/** An error does not cross threads as what it was. */
export type Failure = {
  readonly refusal: RefusalCode | null
  readonly message: string
  /** Of the system, such as ENOSPC. */
  readonly code: string | undefined
}
