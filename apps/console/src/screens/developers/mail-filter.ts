export type MailFilter = { readonly request?: string }

export const readMailFilter = ({ request }: Record<string, unknown>): MailFilter =>
  typeof request === "string" && request !== "" ? { request } : {}
