import { CannotMove, type Cell } from "./cell.ts"

/** What the settings of both cells say. */
export type Facts = {
  /** Whether both have the tokens of the HSM in common, so that a key of the one signs in the other. */
  readonly sharesTokens: boolean
}

/** Whether it can be moved at all; asked before anything is begun, and told in one sentence for each reason. */
export async function mustBeMovable(from: Cell, to: Cell, businessId: string, facts: Facts): Promise<void> {
  const reasons = [
    ...(await sameSchema(from, to)),
    ...(await takenNames(from, to, businessId)),
    ...(facts.sharesTokens ? [] : await keysThatStay(from, businessId)),
  ]
  if (reasons.length > 0) throw new CannotMove(reasons.join("\n"))
}

async function sameSchema(from: Cell, to: Cell): Promise<readonly string[]> {
  const of = async ({ client }: Cell) =>
    (await client.query<{ name: string }>("select name from migration order by 1")).rows
      .map(({ name }) => name)
      .join()
  return (await of(from)) === (await of(to))
    ? []
    : [`${from.name} and ${to.name} have different schemas. Bring both to the same version (paraph migrate).`]
}

/** Names that are unique in a cell, and somebody else's in the other. */
async function takenNames(from: Cell, to: Cell, businessId: string): Promise<readonly string[]> {
  const taken = async (what: string, mine: string, theirs: string): Promise<readonly string[]> => {
    const { rows } = await from.client.query<{ name: string }>(mine, [businessId])
    const { rows: others } = await to.client.query<{ name: string }>(theirs, [
      rows.map(({ name }) => name),
      businessId,
    ])
    return others.map(({ name }) => `The ${what} ${name} is another business's in ${to.name}.`)
  }
  return [
    ...(await taken(
      "user name",
      "select username as name from api_user where business_id = $1 and account_id is null",
      "select username as name from api_user where username = any ($1) and business_id <> $2 and account_id is null",
    )),
    ...(await taken(
      "domain",
      "select domain as name from granted_domain where business_id = $1",
      "select domain as name from granted_domain where domain = any ($1) and business_id <> $2",
    )),
  ]
}

/** No key leaves a token: what it has signed stays good, and what it is to sign it cannot elsewhere. */
async function keysThatStay({ client, name }: Cell, businessId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ seals: number; releases: number }>(
    `select (select count(*) from seal where business_id = $1 and ended_at is null)::integer as seals,
            (select count(*) from signing_release r join signature s on s.id = r.signature_id
              where r.business_id = $1 and r.key_label is not null and s.state = 'open' and r.until > now())::integer as releases`,
    [businessId],
  )
  const { seals = 0, releases = 0 } = rows[0] ?? {}
  return [
    ...(seals === 0
      ? []
      : [
          `${seals} seals have their keys in the token of ${name}, which the other cell has not. End them, and make new ones there.`,
        ]),
    ...(releases === 0
      ? []
      : [
          `${releases} people are signing with a key in the token of ${name} just now. Try again in some minutes.`,
        ]),
  ]
}
