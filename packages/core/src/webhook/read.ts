import type { Caller } from "../access/caller.ts"
import type { Read } from "../ports.ts"
import type { Webhook } from "./model.ts"
import { mustBeOwn } from "./own.ts"

export const listWebhooks = (parts: { readonly read: Read }, caller: Caller): Promise<readonly Webhook[]> =>
  parts.read(caller.businessId, (reading) => reading.listWebhooks(caller))

export const readWebhook = (parts: { readonly read: Read }, caller: Caller, id: string): Promise<Webhook> =>
  parts.read(caller.businessId, async (reading) => mustBeOwn(caller, await reading.findWebhook(id)))
