import type { Caller } from "../access/caller.ts"
import type { Read } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Template } from "./model.ts"

type Parts = { readonly read: Read }

/** Everybody in the business reads and uses them, by a key too; of the kind of the caller, as all else is (choice 265). */
export const listTemplates = (parts: Parts, caller: Caller): Promise<readonly Template[]> =>
  parts.read(caller.businessId, (reading) => reading.listTemplates(caller.kind))

export async function readTemplate(parts: Parts, caller: Caller, id: string): Promise<Template> {
  return mustBeOurs(caller, await parts.read(caller.businessId, (reading) => reading.findTemplate(id)))
}

export function mustBeOurs(caller: Caller, template: Template | null): Template {
  if (template === null || template.businessId !== caller.businessId || template.kind !== caller.kind)
    throw new Refusal("not-found", "There is no such object.")
  return template
}
