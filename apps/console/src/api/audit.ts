import { api } from "./client.ts"
import { pages } from "./pages.ts"
import type { components } from "./v3.d.ts"

export type AuditEntry = components["schemas"]["AuditEntry"]

export const auditLog = pages(["audit-log"], ({ query, signal }) =>
  api.GET("/audit-log", { params: { query }, signal }),
)
