import type { ToldStory } from "@paraph/core/evidence/model"
import type { Language } from "@paraph/core/language"
import type { Protocol } from "@paraph/core/report/model"

/** What the protocol is shown as: on paper under a seal, or on a page of the browser. */
export type Shown = {
  readonly protocol: Protocol
  readonly log: ToldStory["log"]
  readonly language: Language
  /** Null on a page, which nobody seals. */
  readonly sealer: string | null
  /** Of the service, where the key of its log is. */
  readonly publicUrl: string
}
