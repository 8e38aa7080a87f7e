import { removeLogo } from "@paraph/store/postgres/branding"
import { changeSettings } from "@paraph/store/postgres/settings"
import * as act from "./admin-act.ts"

/** What a business says of itself it says itself; the operator can take it away, from one who passes for somebody else. */
export const BRANDING_ACTS: Readonly<Record<string, act.Act>> = {
  "remove-branding": {
    usage: "--business ID",
    about:
      "takes logo, colour and sender's name away from a business; its pages and mails look as ours again",
    read: (options) => {
      const id = act.givenId(options, "business")
      return async (desk) => {
        const { branding } = await act.findBusiness(desk, id)
        if (Object.values(branding).every((each) => each === null)) return { business: id, removed: false }
        await changeSettings(desk.trx, id, { accent: null, senderName: null })
        await removeLogo(desk.trx, id)
        const entry = { businessId: id, target: `business ${id}`, before: branding }
        await desk.record({ act: "remove-branding", ...entry })
        return { business: id, removed: true }
      }
    },
  },
}
