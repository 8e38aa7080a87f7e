import type { ListDocuments } from "@paraph/core/document/model"
import type { ChangeGroup, NewGroup } from "@paraph/core/group/change"
import type { GroupPage, Group as Model } from "@paraph/core/group/model"
import { LANGUAGES } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import { readName } from "@paraph/core/names/read-name"
import { Type } from "typebox"
import { closed, DateTime, Email, orNull, TEXT, Title, Uuid } from "../shared/fields.ts"
import * as list from "../shared/list.ts"
import { readNames } from "../shared/signer-identity.ts"

const Name = Type.String({ minLength: 1, maxLength: LIMITS.textCharacters, pattern: TEXT })

/** Decisions, "v3 groups": a person by e-mail address, with a name and a language where they are known. */
export const NewGroupMember = Type.Object(
  {
    email: Email,
    first_name: Type.Optional(orNull(Name)),
    last_name: Type.Optional(orNull(Name)),
    language: Type.Optional(orNull(Type.Enum([...LANGUAGES]))),
  },
  closed,
)

const members = {
  name: Title,
  members: Type.Array(NewGroupMember, { minItems: 1, maxItems: LIMITS.membersPerGroup }),
}

export const NewGroupBody = Type.Object(members, closed)
export type NewGroupBody = Type.Static<typeof NewGroupBody>

export const GroupBody = Type.Object(
  {
    ...members,
    version_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description: "The version that was seen; 409 when it is not the newest.",
      }),
    ),
  },
  closed,
)
export type GroupBody = Type.Static<typeof GroupBody>

export const GroupMember = Type.Object({
  email: Type.String(),
  first_name: orNull(Type.String()),
  last_name: orNull(Type.String()),
  language: orNull(Type.Enum([...LANGUAGES])),
})

export const Group = Type.Object({
  id: Uuid,
  owner: Type.String({ description: "The API user who made it, and may change it." }),
  name: Type.String(),
  members: Type.Array(GroupMember),
  version_id: Uuid,
  created_at: DateTime,
  updated_at: DateTime,
})
export type Group = Type.Static<typeof Group>

export const GroupListQuery = Type.Object(list.listMembers, closed)
export type GroupListQuery = Type.Static<typeof GroupListQuery>

export const readNewGroup = ({ name, members }: NewGroupBody): NewGroup => ({
  name: readName("name", name, "company"),
  members: members.map((member, i) => ({
    email: member.email,
    ...readNames(`members[${i}]`, member),
    language: member.language ?? null,
  })),
})

export const readGroup = (body: GroupBody): ChangeGroup => ({
  ...readNewGroup(body),
  versionId: body.version_id?.toLowerCase() ?? null,
})

export const readGroupList = list.readList

export const writeGroupLinks = (address: string, asked: ListDocuments, page: GroupPage): string | null =>
  list.linksBeside(address, { ...asked, filters: {} }, { ...page, entries: page.groups })

export const writeGroup = (group: Model): Group => ({
  id: group.id,
  owner: group.owner,
  name: group.name,
  members: group.members.map(({ email, firstName, lastName, language }) => ({
    email,
    first_name: firstName,
    last_name: lastName,
    language,
  })),
  version_id: group.versionId,
  created_at: group.createdAt.toISOString(),
  updated_at: group.updatedAt.toISOString(),
})
