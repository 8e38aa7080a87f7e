import type { Addresses } from "@paraph/contract/shared/fields"
import type { RemindBody, WithdrawBody } from "@paraph/contract/v2/signature-request"
import type { Held } from "@paraph/core/document/ports"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type {
  CreateRequest,
  ListRequests,
  NewEntry,
  RequestPage,
  UpdateRequest,
} from "@paraph/core/signature-request/new-request"
import type { TSchema } from "typebox"

/** How one version speaks of signature requests. The types of its bodies are its own; the schemas stand for them. */
export type RequestWire<Entry, Patch, Update, Query> = {
  readonly SignatureRequest: TSchema
  readonly NewSignature: TSchema
  readonly PatchBody: TSchema
  readonly UpdateBody: TSchema
  readonly WithdrawBody: TSchema
  readonly RemindBody: TSchema
  readonly ListQuery: TSchema
  readonly readSignature: (entry: Entry) => NewEntry
  readonly readPatch: (id: string, body: Patch) => UpdateRequest
  readonly readUpdate: (body: Update) => UpdateRequest
  readonly readWithdraw: (body: WithdrawBody) => string | null
  readonly readRemind: (body: RemindBody) => readonly string[] | null
  readonly readList: (query: Query) => ListRequests
  readonly writeLinks: (address: string, asked: ListRequests, page: RequestPage) => string | null
  readonly writeSignatureRequest: (request: SignatureRequest, addresses: Addresses) => object
}

/** v1 and v2 also take a document with the request. */
export type InlineWire<Create> = {
  readonly CreateBody: TSchema
  readonly SignatureRequest: TSchema
  readonly readCreate: (body: Create, received: Held | null) => CreateRequest
  readonly writeSignatureRequest: (request: SignatureRequest, addresses: Addresses) => object
}
