import type { Account } from "../account/model.ts"
import { NO_BRANDING } from "../branding/model.ts"
import { FEATURES } from "../business/model.ts"

/** No groups, no attachments, nobody to identify, and nobody who observes. */
export const company = {
  findGroups: async () => [],
  listGroups: async () => ({ groups: [], hasNext: false, hasPrevious: false }),
  readsRequestOf: async () => false,
  memberEmail: async () => null,
  findAttachment: async () => null,
  findTokens: async () => null,
  evidenceFiles: async () => [],
  keepTokens: async () => undefined,
  keepEvidenceFiles: async () => undefined,
  lockGroup: async () => null,
  insertGroup: async () => undefined,
  saveGroup: async () => undefined,
  isGroupNeeded: async () => false,
  isGroupOfOthers: async () => false,
  removeGroup: async () => undefined,
  insertAttachment: async () => undefined,
  removeAttachments: async () => undefined,
}

/** Nobody who listens. */
export const listeners = {
  callbacksOf: async () => [],
  eventsAfter: async () => ({ events: [], next: null, hasMore: false }),
  findWebhook: async () => null,
  findCode: async () => null,
  listWebhooks: async () => [],
  listMails: async () => ({ mails: [], hasNext: false, hasPrevious: false }),
  findMail: async () => null,
  listDeliveries: async () => ({ deliveries: [], hasNext: false, hasPrevious: false }),
  replayCallback: async () => null,
  countWebhooks: async () => 0,
  insertWebhook: async () => undefined,
  lockWebhook: async () => null,
  saveWebhookSecrets: async () => undefined,
  removeWebhook: async () => undefined,
  replayEvents: async () => 0,
  replayDelivery: async () => null,
}

const AGREED = {
  name: "Acme AG",
  features: FEATURES,
  retentionDays: null,
  defaultQuality: "SES" as const,
  keyLifetimeDays: 365,
  exitOrigins: [],
  embedOrigins: [],
  branding: NO_BRANDING,
  singleSignOn: false,
}

/** Nobody manages it. */
export const managed = {
  listMembers: async () => [],
  listKeys: async () => [],
  readAudit: async () => ({ entries: [], hasMore: false }),
  findMember: async () => null,
  countOtherOwners: async () => 0,
  ensureAccount: async (account: Pick<Account, "id" | "email">) => ({ ...account, name: account.email }),
  isNameOfKeys: async () => false,
  roleOf: async () => null,
  acceptMembership: async () => false,
  setMember: async () => undefined,
  removeMember: async () => [],
  writeToMember: async () => undefined,
  lockKey: async () => null,
  insertKey: async () => undefined,
  renameKey: async () => undefined,
  revokeKey: async () => [],
  markReset: async () => undefined,
  markClaimed: async () => undefined,
  writeToOwners: async () => undefined,
  countLiveKeys: async () => 0,
  findKeyUser: async () => null,
  insertKeyUser: async () => undefined,
}

/** One business with everything switched on; whoever ends in @acme.example has an account and is a member. */
export const people = {
  settings: async () => AGREED,
  agreedSettings: async () => AGREED,
  lockSettings: async () => AGREED,
  saveSettings: async () => undefined,
  confirmSenderName: async () => undefined,
  findLogo: async () => null,
  usageByDay: async () => [],
  usageByMonth: async () => [],
  findTemplate: async () => null,
  listTemplates: async () => [],
  isInTemplate: async () => false,
  lockTemplate: async () => null,
  countTemplates: async () => 0,
  insertTemplate: async () => undefined,
  saveTemplate: async () => undefined,
  removeTemplate: async () => undefined,
  keepLogo: async () => undefined,
  removeLogo: async () => undefined,
  setFeature: async () => undefined,
  appendAudit: async () => undefined,
  isAccount: async (email: string) => email.endsWith("@acme.example"),
  isMember: async (email: string) => email.endsWith("@acme.example"),
  isAdministrator: async () => false,
}
