import type { I18n } from "@lingui/core"

export const ROLES = ["owner", "admin", "developer", "member"] as const
export type Role = (typeof ROLES)[number]
/** An operator who works for no business has a place here too. */
export type Standing = Role | "operator"

/** What is not offered is refused by the service as well; here nobody is led to a closed door. */
export const managesBusiness = (role: Standing): boolean => role === "owner" || role === "admin"

export const builds = (role: Standing): boolean => managesBusiness(role) || role === "developer"

export function sayRole(i18n: I18n, role: Role): readonly [name: string, meaning: string] {
  switch (role) {
    case "owner":
      return [
        i18n._("Business owner"),
        i18n._("Everything, including who the owners and administrators are."),
      ]
    case "admin":
      return [i18n._("Administrator"), i18n._("Members, settings, keys, and all that the others do.")]
    case "developer":
      return [i18n._("Developer"), i18n._("API keys, webhooks and captured mails, and sends documents.")]
    case "member":
      return [i18n._("Member"), i18n._("Sends documents and follows them.")]
  }
}
