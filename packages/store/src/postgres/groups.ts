import type { Caller } from "@paraph/core/access/caller"
import { comparableName } from "@paraph/core/access/user-name"
import type { ListDocuments } from "@paraph/core/document/model"
import type { Group, GroupPage } from "@paraph/core/group/model"
import { sql } from "kysely"
import { containing } from "./containing.ts"
import type { Trx } from "./database.ts"
import type { Tables } from "./tables.ts"

export async function insertGroup(trx: Trx, group: Group): Promise<void> {
  await trx
    .insertInto("signer_group")
    .values({
      id: group.id,
      business_id: group.businessId,
      kind: group.kind,
      owner_id: group.ownerId,
      name: group.name,
      version_id: group.versionId,
      created_at: group.createdAt,
      updated_at: group.updatedAt,
    })
    .execute()
  await insertMembers(trx, group)
}

/** Called under its lock. Who joins a group that observes sees its requests in the list, who leaves it does not. */
export async function saveGroup(trx: Trx, group: Group): Promise<void> {
  await removeReaders(trx, group)
  await trx
    .updateTable("signer_group")
    .set({ name: group.name, version_id: group.versionId, updated_at: group.updatedAt })
    .where("id", "=", group.id)
    .execute()
  await trx.deleteFrom("signer_group_member").where("group_id", "=", group.id).execute()
  await insertMembers(trx, group)
  await sql`
    insert into request_reader (business_id, kind, username, created_at, request_id, status)
      select r.business_id, r.kind, lower(m.email), r.created_at, r.id, r.status
        from observer o join signature_request r on r.id = o.request_id
        join signer_group_member m on m.group_id = o.group_id
       where o.group_id = ${group.id}
      on conflict do nothing`.execute(trx)
}

/** Of those who leave, but for who may read the request by other ways too. */
async function removeReaders(trx: Trx, { id, members }: Group): Promise<void> {
  const staying = members.map(({ email }) => comparableName(email))
  await sql`
    delete from request_reader seen
     using observer o, signature_request r, api_user u, signer_group_member m
     where o.group_id = ${id} and r.id = o.request_id and u.id = r.owner_id and m.group_id = o.group_id
       and lower(m.email) <> all (${staying}::text[])
       and seen.request_id = r.id and seen.username = lower(m.email)
       and seen.username <> lower(u.username)
       and seen.username not in (select lower(name) from unnest(r.read_access) as name)
       and seen.username not in (select lower(name) from unnest(r.write_access) as name)
       and not exists (select from observer other
                         left join signer_group_member also on also.group_id = other.group_id
                        where other.request_id = r.id and other.id <> o.id
                          and seen.username in (lower(other.email), lower(also.email)))`.execute(trx)
}

/**
 * Groups of a business are changed one after the other: of two that somebody leaves at once, the second must see that the
 * first no longer gives them a reason to read. Then it holds the group and the requests that it observes. The requests come first, as for whoever adds an observer; then once
 * more, for those that began to be observed in between.
 */
export async function lockGroup(trx: Trx, businessId: string, id: string): Promise<Group | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`groups of ${businessId}`}, 0))`.execute(trx)
  await lockObserved(trx, businessId, id)
  const [group] = await findGroups(trx, businessId, [id], "update")
  await lockObserved(trx, businessId, id)
  return group ?? null
}

const lockObserved = (trx: Trx, businessId: string, groupId: string) =>
  sql`
    select r.id from signature_request r
     where r.business_id = ${businessId} and r.id in (select request_id from observer where group_id = ${groupId})
     order by r.id for share`.execute(trx)

async function insertMembers(trx: Trx, { id, members }: Group): Promise<void> {
  if (members.length === 0) return
  const rows = members.map((member, position) => ({
    group_id: id,
    position,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    language: member.language,
  }))
  await trx.insertInto("signer_group_member").values(rows).execute()
}

/** With `lock`, others who change ("share") or need ("update") one of them wait until this transaction ends. */
export async function findGroups(
  trx: Trx,
  businessId: string,
  ids: readonly string[],
  lock?: "share" | "update",
): Promise<readonly Group[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom("signer_group")
    .selectAll()
    .where("id", "in", ids)
    .where("business_id", "=", businessId)
    // In one order for everybody: two who need the same groups never wait for each other.
    .orderBy("id")
    .$if(lock === "share", (query) => query.forShare())
    .$if(lock === "update", (query) => query.forUpdate())
    .execute()
  const groups = await withMembers(trx, rows)
  return [...groups].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** Of a business the newest first; a cursor is a place in the index. */
export async function listGroups(
  trx: Trx,
  caller: Caller,
  { pageSize, search, from }: ListDocuments,
): Promise<GroupPage> {
  const backwards = from.type === "before"
  const direction = backwards ? "asc" : "desc"
  let groups = trx
    .selectFrom("signer_group")
    .selectAll()
    .where("business_id", "=", caller.businessId)
    .where("kind", "=", caller.kind)
    .orderBy("created_at", direction)
    .orderBy("id", direction)
    .limit(pageSize + 1)
  if (search !== null) groups = groups.where("name", "ilike", containing(search))
  if (from.type === "page") groups = groups.offset((from.number - 1) * pageSize)
  else {
    const { createdAt, id } = from.cursor
    const than = sql.raw(backwards ? ">" : "<")
    groups = groups.where(sql<boolean>`(created_at, id) ${than} (${createdAt}, ${id})`)
  }
  const rows = await groups.execute()
  const more = rows.length > pageSize
  const page = await withMembers(trx, rows.slice(0, pageSize))
  return {
    groups: backwards ? [...page].reverse() : page,
    hasNext: backwards || more,
    hasPrevious: backwards ? more : from.type === "after" || from.number > 1,
  }
}

async function withMembers(trx: Trx, rows: readonly Tables["signer_group"][]): Promise<readonly Group[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const members = await trx
    .selectFrom("signer_group_member")
    .selectAll()
    .where("group_id", "in", ids)
    .orderBy("position")
    .execute()
  const owners = await ownersOf(trx, rows)
  const ofGroup = Map.groupBy(members, ({ group_id }) => group_id)
  return rows.map((row) => ({
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    ownerId: row.owner_id,
    owner: owners.get(row.owner_id) ?? "",
    name: row.name,
    members: (ofGroup.get(row.id) ?? []).map((member) => ({
      email: member.email,
      firstName: member.first_name,
      lastName: member.last_name,
      language: member.language,
    })),
    versionId: row.version_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}

async function ownersOf(
  trx: Trx,
  rows: readonly Tables["signer_group"][],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ owner_id }) => owner_id))]
  const users = await trx.selectFrom("api_user").select(["id", "username"]).where("id", "in", ids).execute()
  return new Map(users.map(({ id, username }) => [id, username]))
}

export async function isGroupNeeded(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ needed: boolean }>`
    select exists (select from request_group where group_id = ${id})
        or exists (select from observer where group_id = ${id}) as needed`.execute(trx)
  return rows[0]?.needed ?? false
}

/** A request that needs the group and that the caller may not change, as access/may.ts says it. */
export async function isGroupOfOthers(trx: Trx, caller: Caller, id: string): Promise<boolean> {
  const { rows } = await sql<{ ofOthers: boolean }>`
    select exists (
      select from signature_request r
       where r.id in (select request_id from request_group where group_id = ${id}
                      union all select request_id from observer where group_id = ${id})
         and r.owner_id <> ${caller.userId} and ${comparableName(caller.username)} not in (select lower(name) from unnest(r.write_access) as name)) as "ofOthers"`.execute(
    trx,
  )
  return rows[0]?.ofOthers ?? false
}

/** Its members go with it; what still needs it forbids it by a foreign key. */
export async function removeGroup(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("signer_group").where("id", "=", id).execute()
}
