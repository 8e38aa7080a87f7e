import { openKeyRing } from "@paraph/server/key-ring"
import { createBusinessKeys } from "@paraph/store/keys/business-keys"
import { createStorySealer } from "@paraph/store/keys/story-sealer"
import { findStory, ownerOfStory } from "@paraph/store/postgres/stories"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

/** What is kept as evidence, opened for an auditor who asks the operator (ADR 0052). */
export const STORY_ACTS: Readonly<Record<string, act.Act>> = {
  "tell-story": {
    usage: "--id ID",
    about:
      "what was logged about a request, an order of a seal or a validation, as it was hashed; whoever reads it is in the audit log",
    read: (options) => {
      const id = act.givenId(options, "id")
      return async (desk) => {
        const businessId = await ownerOfStory(desk.trx, id)
        if (businessId === null) throw new NotUnderstood("There is no such story.")
        const ring = await openKeyRing(desk.config)
        try {
          const sealer = createStorySealer(createBusinessKeys(desk.trx, ring, () => desk.now))
          const told = await findStory(desk.trx, sealer, { businessId, id })
          if (told === null) throw new NotUnderstood("That story was erased.")
          await desk.record({ act: "tell-story", businessId, target: `story ${id}`, after: {} })
          return { story: id, events: told.events.map(({ body }) => JSON.parse(body)) }
        } finally {
          await ring.close()
        }
      }
    },
  },
}
