import type { I18n } from "@lingui/core"

/** packages/core/src/business/model.ts; one that is not known here is shown by its name. */
export const FEATURES = ["sealing", "expires_at", "group_observers", "express_qes", "vouching"] as const

export function sayFeature(i18n: I18n, feature: string): string {
  switch (feature) {
    case "sealing":
      return i18n._("Seals of the business")
    case "expires_at":
      return i18n._("A last day to sign")
    case "group_observers":
      return i18n._("Groups and observers")
    case "express_qes":
      return i18n._("Express QES")
    case "vouching":
      return i18n._("Members vouch for signers")
    default:
      return feature
  }
}
