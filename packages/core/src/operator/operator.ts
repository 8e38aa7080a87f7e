import type { Signed } from "../account/secure.ts"
import { Refusal } from "../refusal.ts"

/** Somebody who runs this service, and is here as such (decisions, "roles"). */
export type Operator = { readonly accountId: string; readonly email: string }

export type OperatorCheck = { readonly isOperator: (email: string) => Promise<boolean> }

/**
 * To others it looks as if there were nothing here. A password is not enough for what an operator may do, nor is what a business
 * says of its people: this very login was by a passkey, or by an authenticator app beside the one or the other.
 */
export async function mustBeOperator(
  parts: OperatorCheck,
  { account, session }: Pick<Signed, "account" | "session">,
): Promise<Operator> {
  const { id: accountId, email } = account
  if (!(await parts.isOperator(email))) throw new Refusal("not-found", "There is no such page.")
  if (!session.strong)
    throw new Refusal(
      "second-factor-needed",
      "Operators log in with a passkey, or with an authenticator app beside the password. Set one up, then log in again.",
    )
  return { accountId, email }
}
