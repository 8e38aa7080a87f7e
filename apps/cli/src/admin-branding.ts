import type { Audited } from "@paraph/core/business/ports"
import type { ChangedSettings } from "@paraph/core/business/settings"
import { judgeSenderName } from "@paraph/core/operator/sender-name"
import { removeLogo } from "@paraph/store/postgres/branding"
import { changeSettings, confirmSenderName } from "@paraph/store/postgres/settings"
import * as act from "./admin-act.ts"

/** What a business says of itself it says itself; the operator can take it away, from one who passes for somebody else. */
export const BRANDING_ACTS: Readonly<Record<string, act.Act>> = {
  "confirm-sender-name": judging(
    true,
    "the sender's name that a business asked for stands in its mails from now on",
  ),
  "refuse-sender-name": judging(false, "takes a sender's name that waits to be confirmed away"),

  "remove-branding": {
    usage: "--business ID",
    about:
      "takes logo, colour and sender's name away from a business; its pages and mails look as ours again",
    read: (options) => {
      const id = act.givenId(options, "business")
      return async (desk) => {
        const { branding } = await act.findBusiness(desk, id)
        if (branding.accent === null && branding.logoId === null && branding.senderName === null)
          return { business: id, removed: false }
        await changeSettings(desk.trx, id, { accent: null, senderName: null })
        await removeLogo(desk.trx, id)
        const entry = { businessId: id, target: `business ${id}`, before: branding }
        await desk.record({ act: "remove-branding", ...entry })
        return { business: id, removed: true }
      }
    },
  },
}

function judging(isGood: boolean, about: string): act.Act {
  return {
    usage: "--business ID --name NAME",
    about,
    read: (options) => {
      const id = act.givenId(options, "business")
      const name = act.given(options, "name")
      return async (desk) => {
        const tx = {
          lockSettings: () => act.findBusiness(desk, id),
          saveSettings: (changes: ChangedSettings) => changeSettings(desk.trx, id, changes),
          confirmSenderName: (at: Date) => confirmSenderName(desk.trx, id, at),
          appendAudit: ({ at: _, by: __, ...entry }: Audited) => desk.record({ businessId: id, ...entry }),
        }
        const acting = { at: desk.now, by: desk.by.person }
        await judgeSenderName(tx, acting, { businessId: id, name, isGood })
        return { business: id, "sender-name": isGood ? name : null }
      }
    },
  }
}
