import type { AddMember } from "@paraph/core/business/change-members"
import type { Member as Model } from "@paraph/core/business/member"
import { ROLES } from "@paraph/core/business/model"
import { LANGUAGES } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import { readOptionalName } from "@paraph/core/names/read-name"
import { Type } from "typebox"
import { closed, DateTime, Email, orNull, TEXT } from "../shared/fields.ts"

/** An addition of ours: the people of a business, and what each may do (ADR 0034). */
const Role = Type.Enum([...ROLES], {
  description:
    "owner and admin manage the business, developer its keys and webhooks too, member sends and signs.",
})

export const Member = Type.Object({
  id: Type.String({ format: "uuid", description: "Of the person's account." }),
  email: Type.String(),
  name: Type.String({
    description:
      "The person's own once they have been here; before, what they were called when they were added.",
  }),
  role: Role,
  registered: Type.Boolean({ description: "Whether the person has something to log in with." }),
  joined_at: DateTime,
  accepted_at: orNull(
    Type.String({
      format: "date-time",
      description: "Null while the person is invited: then they can do nothing here yet.",
    }),
  ),
  last_seen_at: Type.Optional(DateTime),
})
export type Member = Type.Static<typeof Member>

export const NewMemberBody = Type.Object(
  {
    email: Email,
    role: Role,
    name: Type.Optional(
      orNull(Type.String({ minLength: 1, maxLength: LIMITS.signerNameCharacters, pattern: TEXT })),
    ),
    language: Type.Optional(
      Type.Enum([...LANGUAGES], { description: "Of the letter to the person; English unless given." }),
    ),
  },
  closed,
)
export type NewMemberBody = Type.Static<typeof NewMemberBody>

export const MemberRoleBody = Type.Object({ role: Role }, closed)
export type MemberRoleBody = Type.Static<typeof MemberRoleBody>

export const readNewMember = ({ email, role, name, language }: NewMemberBody): AddMember => ({
  email,
  role,
  name: readOptionalName("name", name?.trim() || null),
  language: language ?? "en",
})

export const writeMember = (member: Model): Member => ({
  id: member.accountId,
  email: member.email,
  name: member.name,
  role: member.role,
  registered: member.registered,
  joined_at: member.joinedAt.toISOString(),
  accepted_at: member.acceptedAt?.toISOString() ?? null,
  ...(member.lastSeenAt !== null && { last_seen_at: member.lastSeenAt.toISOString() }),
})
