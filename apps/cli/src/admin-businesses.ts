import { FEATURES, MEMBER_SECOND_FACTORS } from "@paraph/core/business/model"
import { readOrigins } from "@paraph/core/business/settings"
import { LIMITS } from "@paraph/core/limits"
import { readName } from "@paraph/core/names/read-name"
import { Refusal } from "@paraph/core/refusal"
import { newKey } from "@paraph/seal/wrap"
import { openKeyRing } from "@paraph/server/key-ring"
import { businessContext } from "@paraph/store/keys/key-ring"
import { isNameTaken } from "@paraph/store/postgres/accounts"
import { findUser, insertBusiness, insertUser, removeUser } from "@paraph/store/postgres/businesses"
import { listMembers } from "@paraph/store/postgres/members"
import { changeSettings, setFeature } from "@paraph/store/postgres/settings"
import * as act from "./admin-act.ts"
import { KEY_DAYS_MOST } from "./admin-keys.ts"
import { NotUnderstood } from "./not-understood.ts"

/** Businesses, their API users, and what is agreed with them. */
export const BUSINESS_ACTS: Readonly<Record<string, act.Act>> = {
  "create-business": {
    usage: "--name NAME",
    about: "a new business, with a key of its own and nothing switched on",
    read: (options) => {
      const name = readName("--name", act.given(options, "name"), "company")
      return async (desk) => {
        const id = desk.randomness.newId()
        // Members of a new business log in with a second factor (ADR 0098). A sandbox is for trying out.
        const memberSecondFactor = desk.config.SANDBOX ? "OPTIONAL" : "REQUIRED_OR_PROVIDER"
        const key = await newBusinessKey(desk, id)
        await insertBusiness(desk.trx, { id, name, ...key, now: desk.now, memberSecondFactor })
        const entry = { businessId: id, target: `business ${id}`, after: { name } }
        await desk.record({ act: "create-business", ...entry })
        return { business: id }
      }
    },
  },

  "show-business": {
    usage: "--business ID",
    about: "what is agreed with a business, and its members",
    read: (options) => {
      const id = act.givenId(options, "business")
      return async (desk) => {
        const agreed = await act.findBusiness(desk, id)
        return {
          business: id,
          name: agreed.name,
          features: agreed.features,
          "retention-days": agreed.retentionDays,
          "default-quality": agreed.defaultQuality,
          "key-lifetime-days": agreed.keyLifetimeDays,
          "exit-origins": agreed.exitOrigins,
          "embed-origins": agreed.embedOrigins,
          members: (await listMembers(desk.trx, id)).map(({ email, name, role }) => ({ email, name, role })),
        }
      }
    },
  },

  "set-feature": {
    usage: `--business ID --feature ${FEATURES.join("|")} --on|--off`,
    about: "switches a feature for one business",
    read: (options) => {
      const id = act.givenId(options, "business")
      const feature = act.oneOf(options, "feature", FEATURES)
      const on = options.on === true
      if (on === (options.off === true)) throw new NotUnderstood("Either --on or --off is needed.")
      return async (desk) => {
        const was = (await act.findBusiness(desk, id)).features.includes(feature)
        await setFeature(desk.trx, id, feature, on)
        await record(desk, "set-feature", id, { [feature]: was }, { [feature]: on })
        return { business: id, feature, on }
      }
    },
  },

  "set-retention": {
    usage: "--business ID --days N|none",
    about: "after how many days a request is deleted; counts for requests that are made from now on",
    read: (options) => {
      const id = act.givenId(options, "business")
      const asked = act.given(options, "days")
      const days = asked === "none" ? null : act.wholeNumber(asked, "days", LIMITS.retentionDays)
      return async (desk) => {
        const was = (await act.findBusiness(desk, id)).retentionDays
        await changeSettings(desk.trx, id, { retentionDays: days })
        await record(desk, "set-retention", id, { days: was }, { days })
        return { business: id, "retention-days": days }
      }
    },
  },

  "set-default-quality": {
    usage: "--business ID --quality SES|AES|AES_MINIMAL|QES",
    about: "the quality of requests that name none",
    read: (options) => {
      const id = act.givenId(options, "business")
      const quality = act.oneOf(options, "quality", ["SES", "AES", "AES_MINIMAL", "QES"])
      return async (desk) => {
        const was = (await act.findBusiness(desk, id)).defaultQuality
        await changeSettings(desk.trx, id, { defaultQuality: quality })
        await record(desk, "set-default-quality", id, { quality: was }, { quality })
        return { business: id, "default-quality": quality }
      }
    },
  },

  "set-member-second-factor": {
    usage: "--business ID --members OPTIONAL|REQUIRED|REQUIRED_OR_PROVIDER",
    about: "whether members log in with a second factor, and whether that of their single sign-on counts",
    read: (options) => {
      const id = act.givenId(options, "business")
      const members = act.oneOf(options, "members", MEMBER_SECOND_FACTORS)
      return async (desk) => {
        const was = (await act.findBusiness(desk, id)).memberSecondFactor
        await changeSettings(desk.trx, id, { memberSecondFactor: members })
        await record(desk, "set-member-second-factor", id, { members: was }, { members })
        return { business: id, members }
      }
    },
  },

  "set-key-lifetime": {
    usage: "--business ID --days N",
    about: "how long API keys live that are made from now on",
    read: (options) => {
      const id = act.givenId(options, "business")
      const days = act.wholeNumber(act.given(options, "days"), "days", KEY_DAYS_MOST)
      return async (desk) => {
        const was = (await act.findBusiness(desk, id)).keyLifetimeDays
        await changeSettings(desk.trx, id, { keyLifetimeDays: days })
        await record(desk, "set-key-lifetime", id, { days: was }, { days })
        return { business: id, "key-lifetime-days": days }
      }
    },
  },

  "set-exit-origins": {
    usage: "--business ID --origins LIST|none",
    about:
      "where people may be sent when they are done, such as https://app.example; others ask the person first",
    read: (options) => setOrigins("set-exit-origins", "exitOrigins", options),
  },

  "set-embed-origins": {
    usage: "--business ID --origins LIST|none",
    about: "who may show the signing pages of this business in a frame; with none, nobody may",
    read: (options) => setOrigins("set-embed-origins", "embedOrigins", options),
  },

  "create-user": {
    usage: "--business ID --username NAME",
    about: "a new API user; the name is unique here, and never given again",
    read: (options) => {
      const businessId = act.givenId(options, "business")
      const username = act.given(options, "username")
      return async (desk) => {
        await act.findBusiness(desk, businessId)
        if ((await findUser(desk.trx, username)) !== undefined) throw new NotUnderstood("This name is taken.")
        // Access lists name people by their address: a user of that name would read what is theirs.
        if (await isNameTaken(desk.trx, businessId, username, "anybody"))
          throw new NotUnderstood("Somebody in this business has, or had, this name.")
        const id = desk.randomness.newId()
        await insertUser(desk.trx, { id, businessId, username, now: desk.now })
        await desk.record({ act: "create-user", businessId, target: `user ${username}` })
        return { user: id, username }
      }
    },
  },

  "remove-user": {
    usage: "--user NAME",
    about: "the user's keys and their tokens are dead; what the user made stays",
    read: (options) => {
      const username = act.given(options, "user")
      return async (desk) => {
        const user = await findUser(desk.trx, username)
        if (user === undefined) throw new NotUnderstood("There is no such user.")
        if (user.removed_at !== null) return { removed: false }
        await removeUser(desk.trx, user.id, desk.now)
        const entry = { businessId: user.business_id, target: `user ${username}` }
        await desk.record({ act: "remove-user", ...entry, after: { removed: desk.now } })
        return { removed: true }
      }
    },
  },
}

/** Separated by commas; whoever lists one that is none would believe it to be there. */
function setOrigins(what: string, which: "exitOrigins" | "embedOrigins", options: act.Options) {
  const id = act.givenId(options, "business")
  const asked = act.given(options, "origins")
  const listed = asked === "none" ? [] : asked.split(",")
  const origins = understoodOrigins(listed)
  return async (desk: act.Desk) => {
    const was = (await act.findBusiness(desk, id))[which]
    await changeSettings(desk.trx, id, { [which]: origins })
    await record(desk, what, id, { origins: was }, { origins })
    return { business: id, origins }
  }
}

function understoodOrigins(listed: readonly string[]): readonly string[] {
  try {
    return readOrigins(listed)
  } catch (error) {
    throw error instanceof Refusal ? new NotUnderstood(error.message) : error
  }
}

async function newBusinessKey({ config }: act.Desk, businessId: string) {
  const ring = await openKeyRing(config)
  try {
    const { id: kekId, wrapped: wrappedKey } = await ring.wrap(newKey(), businessContext(businessId, 1))
    return { kekId, wrappedKey }
  } finally {
    await ring.close()
  }
}

const record = (desk: act.Desk, what: string, businessId: string, before: object, after: object) =>
  desk.record({ act: what, businessId, target: `business ${businessId}`, before, after })
