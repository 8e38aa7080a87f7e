import type { KeysTx, MembersTx } from "@paraph/core/business/ports"
import type { Tx } from "@paraph/core/ports"
import type { WriteToMember } from "../jobs/enqueue.ts"
import { apiKeyRows } from "./api-keys.ts"
import { recording } from "./audit-log.ts"
import type { Trx } from "./database.ts"
import { memberRows } from "./members.ts"
import { writeToOwners } from "./owners.ts"
import * as settings from "./settings.ts"

type Managed = MembersTx &
  KeysTx &
  Pick<Tx, "settings" | "lockSettings" | "saveSettings" | "confirmSenderName" | "setFeature" | "appendAudit">

/** What a business manages of itself (ADR 0034), with the record of it. */
export const managed = (trx: Trx, businessId: string, writeToMember: WriteToMember = noLetter): Managed => ({
  settings: () => settings.settingsOf(trx, businessId),
  lockSettings: async () => settings.there(await settings.lockSettings(trx, businessId)),
  setFeature: (feature, on) => settings.setFeature(trx, businessId, feature, on),
  confirmSenderName: (at) => settings.confirmSenderName(trx, businessId, at),
  saveSettings: (changes) => settings.changeSettings(trx, businessId, changes),
  appendAudit: recording(trx, businessId),
  ...memberRows(trx, businessId),
  ...apiKeyRows(trx, businessId),
  writeToMember: (letter) => writeToMember(trx, letter),
  writeToOwners: (letter, language) => writeToOwners(trx, writeToMember, letter, language),
})

const noLetter: WriteToMember = async () => {
  throw new Error("Nobody writes letters here.")
}
