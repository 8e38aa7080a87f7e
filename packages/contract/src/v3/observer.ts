import { Refusal } from "@paraph/core/refusal"
import type { Observer as Model } from "@paraph/core/signature-request/model"
import type { NewObserver } from "@paraph/core/signature-request/observers"
import { Type } from "typebox"
import { closed, DateTime, Email, Uuid } from "../shared/fields.ts"

/** Decisions, "v3 observers": `{type: USER, email | user_id}` or `{type: GROUP, group_id}`. */
export const ObserverBody = Type.Object(
  {
    type: Type.Enum(["USER", "GROUP"]),
    email: Type.Optional(Email),
    user_id: Type.Optional(Uuid),
    group_id: Type.Optional(Uuid),
  },
  closed,
)
export type ObserverBody = Type.Static<typeof ObserverBody>

export const ObserverParams = Type.Object({ id: Uuid, observer_id: Uuid })
export type ObserverParams = Type.Static<typeof ObserverParams>

export const UserInfo = Type.Object({ email: Type.String() })
export const GroupInfo = Type.Object({ group_id: Uuid, name: Type.String() })

export const Observer = Type.Object({
  id: Uuid,
  type: Type.Enum(["USER", "GROUP"]),
  invited_at: DateTime,
  invited_by: Type.String({ description: "The API user who added the observer." }),
  user_info: Type.Optional(UserInfo),
  group_info: Type.Optional(GroupInfo),
})
export type Observer = Type.Static<typeof Observer>

export function readObserver({ type, email, user_id, group_id }: ObserverBody): NewObserver {
  if (type === "GROUP") {
    if (group_id === undefined || email !== undefined || user_id !== undefined)
      throw new Refusal("constraint-violated", "A GROUP is named by group_id alone.")
    return { type, groupId: group_id.toLowerCase() }
  }
  if (group_id !== undefined || (email === undefined) === (user_id === undefined))
    throw new Refusal("constraint-violated", "A USER is named by exactly one of email and user_id.")
  return email === undefined ? { type, userId: user_id ?? "" } : { type, email }
}

export const writeObserver = ({ id, of, invitedAt, invitedBy }: Model): Observer => ({
  id,
  type: of.type,
  invited_at: invitedAt.toISOString(),
  invited_by: invitedBy,
  ...(of.type === "USER"
    ? { user_info: { email: of.email } }
    : { group_info: { group_id: of.groupId, name: of.name } }),
})
