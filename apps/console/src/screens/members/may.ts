import type { Member } from "../../api/members.ts"
import { managesBusiness, ROLES, type Role, type Standing } from "../../session/roles.ts"

/** Only owners make, change and remove owners and administrators; the service holds to it, whatever is shown. */
export const rolesToGive = (mine: Standing): readonly Role[] =>
  ROLES.filter((role) => mine === "owner" || !managesBusiness(role))

export const mayChange = (mine: Standing, { role }: Member): boolean =>
  managesBusiness(mine) && rolesToGive(mine).includes(role)
