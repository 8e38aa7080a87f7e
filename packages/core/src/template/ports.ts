import type { Kind } from "../signature-request/model.ts"
import type { Template } from "./model.ts"

export type TemplatesReading = {
  readonly findTemplate: (id: string) => Promise<Template | null>
  /** By name. */
  readonly listTemplates: (kind: Kind) => Promise<readonly Template[]>
  /** Whether a template of that kind has the document. */
  readonly isInTemplate: (documentId: string, kind: Kind) => Promise<boolean>
}

export type TemplatesTx = {
  /** Reads the template and holds it until the transaction ends; null when there is none. */
  readonly lockTemplate: (id: string) => Promise<Template | null>
  /** Of the whole business; two that are made at once are counted one after the other. */
  readonly countTemplates: () => Promise<number>
  readonly insertTemplate: (template: Template) => Promise<void>
  readonly saveTemplate: (template: Template) => Promise<void>
  readonly removeTemplate: (id: string) => Promise<void>
  readonly isInTemplate: TemplatesReading["isInTemplate"]
}
