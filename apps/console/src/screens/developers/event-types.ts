import type { JournalEvent } from "../../api/types.ts"

export type EventType = JournalEvent["type"]

/** Those that are there today; `satisfies` refuses a name that the interface does not know. */
export const EVENT_TYPES = [
  "signature_request.created",
  "signature_request.initiated",
  "signature_request.updated",
  "signature_request.signed",
  "signature_request.declined",
  "signature_request.error",
  "signature_request.expired",
  "signature_request.withdrawn",
  "signature_request.deleted",
  "signature.invited",
  "signature.opened",
  "signature.reminded",
  "signature.signed",
  "signature.declined",
  "document.created",
  "document.deleted",
  "document.renewed",
  "callback.gave_up",
] as const satisfies readonly EventType[]
