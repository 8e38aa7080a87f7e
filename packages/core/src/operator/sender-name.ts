import type { Acting } from "../business/make-keys.ts"
import type { SettingsTx } from "../business/ports.ts"
import { Refusal } from "../refusal.ts"

export type Judged = {
  readonly businessId: string
  /** As it was looked at: the business may have asked for another one meanwhile. */
  readonly name: string
  readonly isGood: boolean
}

/** A name that is not the registered one goes into no mail before an operator has said that it is the business's. */
export async function judgeSenderName(
  tx: Pick<SettingsTx, "lockSettings" | "saveSettings" | "confirmSenderName" | "appendAudit">,
  acting: Acting,
  { businessId, name, isGood }: Judged,
): Promise<void> {
  const { branding } = await tx.lockSettings()
  if (branding.senderName !== name || branding.senderNameState !== "PENDING")
    throw new Refusal("constraint-violated", "This sender's name does not wait to be confirmed.")
  if (isGood) await tx.confirmSenderName(acting.at)
  else await tx.saveSettings({ senderName: null })
  await tx.appendAudit({
    ...acting,
    act: isGood ? "confirm-sender-name" : "refuse-sender-name",
    target: `business ${businessId}`,
    before: { senderName: name },
    after: { senderName: isGood ? name : null },
  })
}
