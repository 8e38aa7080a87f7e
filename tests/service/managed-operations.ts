import { block } from "./pictures.ts"
import { newAddress } from "./requests.ts"

export type PersonRole = "owner" | "admin" | "developer" | "member"

/** An operation that is for people of the business, by their roles, and for no API key. */
export type ManagedRow = {
  readonly roles: readonly PersonRole[]
  readonly ok: number | readonly number[]
  readonly body?: () => unknown
  /** What the body is, where it is not JSON. */
  readonly type?: string
  readonly query?: () => string
}

const ALL: readonly PersonRole[] = ["owner", "admin", "developer", "member"]
const BUILDERS: readonly PersonRole[] = ["owner", "admin", "developer"]
const MANAGERS: readonly PersonRole[] = ["owner", "admin"]
const OWNERS: readonly PersonRole[] = ["owner"]

const PNG = block(1, 1, [0, 128, 0])
const template = { name: "Lease", request: { signatures: [{ label: "Tenant" }] } }

/** What is changed is somebody else's: a member of the least role, a key, a template of the owner. */
export const MANAGED: Readonly<Record<string, ManagedRow>> = {
  listMembers: { roles: ALL, ok: 200 },
  addMember: { roles: MANAGERS, ok: 200, body: () => ({ email: newAddress("added"), role: "member" }) },
  changeMemberRole: { roles: MANAGERS, ok: 200, body: () => ({ role: "developer" }) },
  removeMember: { roles: MANAGERS, ok: 204 },

  listApiKeys: { roles: BUILDERS, ok: 200 },
  createApiKey: { roles: BUILDERS, ok: 200, body: () => ({ name: "Shop", kind: "demo" }) },
  renameApiKey: { roles: BUILDERS, ok: 200, body: () => ({ name: "Another" }) },
  resetApiKey: { roles: BUILDERS, ok: 200 },
  revokeApiKey: { roles: BUILDERS, ok: 204 },
  readAuditLog: { roles: MANAGERS, ok: 200 },
  exportAll: { roles: MANAGERS, ok: 200 },
  holdSignatureRequest: { roles: MANAGERS, ok: 200, body: () => ({ reason: "Proceedings" }) },
  endSignatureRequestHold: { roles: MANAGERS, ok: 204 },

  getSettings: { roles: ALL, ok: 200 },
  changeSettings: { roles: MANAGERS, ok: 200, body: () => ({ retention_days: 30 }) },
  getLogo: { roles: ALL, ok: [200, 404] },
  putLogo: { roles: MANAGERS, ok: 204, body: () => PNG, type: "image/png" },
  deleteLogo: { roles: MANAGERS, ok: [204, 404] },
  // There is no seal here: seals.test.ts.
  putSealImage: { roles: MANAGERS, ok: 404, body: () => PNG, type: "image/png" },
  deleteSealImage: { roles: MANAGERS, ok: 404 },
  getSingleSignOn: { roles: MANAGERS, ok: 200 },
  // Nobody answers there.
  setSingleSignOn: {
    roles: OWNERS,
    ok: 400,
    body: () => ({
      issuer: "https://login.invalid",
      client_id: "paraph",
      client_secret: "secret",
      enforced: false,
    }),
  },
  deleteSingleSignOn: { roles: OWNERS, ok: [204, 404] },

  createTemplate: { roles: ALL, ok: 200, body: () => template },
  changeTemplate: { roles: MANAGERS, ok: 200, body: () => template },
  deleteTemplate: { roles: MANAGERS, ok: 204 },
  getUsage: { roles: BUILDERS, ok: 200, query: () => "from=2026-01&to=2026-12" },
}
