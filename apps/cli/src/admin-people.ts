import { randomUUID } from "node:crypto"
import { joinBusiness, leaveBusiness } from "@paraph/core/business/change-members"
import { ROLES } from "@paraph/core/business/model"
import { LIMITS } from "@paraph/core/limits"
import { readName } from "@paraph/core/names/read-name"
import * as accounts from "@paraph/store/postgres/accounts"
import { readAudit } from "@paraph/store/postgres/audit-log"
import { memberRows } from "@paraph/store/postgres/members"
import * as act from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"

/** Decisions, "roles": people of a business, operators beside them, and what they did. */
export const PEOPLE_ACTS: Readonly<Record<string, act.Act>> = {
  "add-member": {
    usage: `--business ID --email ADDRESS --name NAME --role ${ROLES.join("|")}`,
    about: "makes a person a member of a business, or gives a member another role",
    read: (options) => {
      const businessId = act.givenId(options, "business")
      const person = givenPerson(options)
      const role = act.oneOf(options, "role", ROLES)
      return async (desk) => {
        await act.findBusiness(desk, businessId)
        const joining = { ...person, role, invitedBy: null, at: desk.now }
        const { member, was } = await joinBusiness(memberRows(desk.trx, businessId), joining)
        const { accountId, email } = member
        const change = was === null ? { after: { role } } : { before: { role: was }, after: { role } }
        const named = was === null ? "add-member" : "change-role"
        await desk.record({ act: named, businessId, target: `person ${email}`, ...change })
        return { account: accountId, email, role }
      }
    },
  },

  "remove-member": {
    usage: "--business ID --email ADDRESS",
    about: "takes a person out of a business; the account stays",
    read: (options) => {
      const businessId = act.givenId(options, "business")
      const email = givenEmail(options)
      return async (desk) => {
        await act.findBusiness(desk, businessId)
        const rows = memberRows(desk.trx, businessId)
        const account = await accounts.findAccount(desk.trx, email)
        const member = account === null ? null : await rows.findMember(account.id)
        if (member === null) throw new NotUnderstood("This person is no member.")
        const change = await leaveBusiness(rows, member, desk.now)
        await desk.record({ act: "remove-member", businessId, ...change })
        return { removed: true }
      }
    },
  },

  "add-operator": {
    usage: "--email ADDRESS --name NAME",
    about: "makes a person an operator of this deployment; the first one too",
    read: (options) => {
      const person = givenPerson(options)
      return async (desk) => {
        const { id, email } = await accounts.ensureAccount(desk.trx, { ...person, now: desk.now })
        if (await accounts.isOperator(desk.trx, email))
          throw new NotUnderstood("This person is an operator already.")
        await accounts.insertOperator(desk.trx, id, desk.now)
        await desk.record({ act: "add-operator", businessId: null, target: `person ${email}` })
        return { account: id, email }
      }
    },
  },

  "remove-operator": {
    usage: "--email ADDRESS",
    about: "the person is no operator any more; the account stays",
    read: (options) => {
      const address = givenEmail(options)
      return async (desk) => {
        const account = await accounts.findAccount(desk.trx, address)
        if (account === null || !(await accounts.isOperator(desk.trx, address)))
          throw new NotUnderstood("This person is no operator.")
        await accounts.removeOperator(desk.trx, account.id)
        const entry = { businessId: null, target: `person ${account.email}` }
        await desk.record({ act: "remove-operator", ...entry })
        return { removed: true }
      }
    },
  },

  "audit-log": {
    usage: "[--business ID] [--since TIME] [--limit 1000]",
    about: "who did what, the newest first",
    read: (options) => {
      const businessId = options.business === undefined ? null : act.givenId(options, "business")
      const limit = act.wholeNumber(act.optional(options, "limit") ?? "1000", "limit", 100_000)
      const since = sinceOf(options)
      return async ({ trx }) => {
        const rows = await readAudit(trx, { businessId, since, limit })
        return {
          entries: rows.map(({ shell_user: shell, business_id: business, ...row }) => ({
            ...row,
            shell,
            business,
          })),
        }
      }
    },
  },
}

const givenPerson = (options: act.Options) => ({
  id: randomUUID(),
  email: givenEmail(options),
  name: readName("--name", act.given(options, "name")),
})

/** Not every address that the standard allows, but no word that is none. */
function givenEmail(options: act.Options): string {
  const value = act.given(options, "email")
  if (value.length > LIMITS.emailCharacters || !/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value))
    throw new NotUnderstood("--email is no e-mail address.")
  return value
}

function sinceOf(options: act.Options): Date | null {
  const text = act.optional(options, "since")
  if (text === undefined) return null
  // Date takes other forms too, and reads them in the zone of whoever types.
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new NotUnderstood("--since is a date, or a time in UTC such as 2026-11-02T09:00:00Z.")
  return time
}
