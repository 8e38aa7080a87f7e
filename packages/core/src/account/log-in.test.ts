import { expect, it } from "vitest"
import { logIn } from "./log-in.ts"
import type { Credentials } from "./model.ts"
import type { AccountParts, AccountTx } from "./ports.ts"

const ADA: Credentials = {
  id: "a",
  email: "ada@example.org",
  name: "Ada",
  passwordHash: "hash of the old one",
  totp: null,
  passkeyCount: 0,
  passkeysHeldUntil: null,
  recoveryCodeCount: 0,
}
const SESSION = { id: "s", idHash: new Uint8Array(32), browser: "", network: "" }
const GIVEN = { email: ADA.email, password: "the old one, which was right" }

it.each(["right", "right, to be renewed"] as const)(
  "lets nobody in by a password that was changed while it was checked (%s)",
  async (check) => {
    const done: string[] = []
    const changed = { ...ADA, passwordHash: "hash of a new one" }
    await expect(logIn(parts(check, changed, done), GIVEN, SESSION)).rejects.toThrow("password is wrong")
    expect(done).toEqual(["lock"])
  },
)

it("keeps the password that was renewed and the session in the transaction that looked again", async () => {
  const done: string[] = []
  await logIn(parts("right, to be renewed", ADA, done), GIVEN, SESSION)
  expect(done).toEqual(["lock", "savePassword", "singleSignOnNeeded", "insertSession", "note"])
})

it.each(["with", "without"])(
  "lets nobody in by a password whom a business has come by its own provider, %s an app",
  async (app) => {
    const done: string[] = []
    const totp = { secret: { kekId: "k", wrapped: new Uint8Array() }, since: new Date(0), heldUntil: null }
    const held = { ...ADA, totp: app === "with" ? totp : null }
    await expect(logIn(parts("right", held, done, "Acme AG"), GIVEN, SESSION)).rejects.toThrow("Acme AG")
    expect(done).toEqual(["lock", "singleSignOnNeeded"])
  },
)

/** `held` is what the transaction finds, after the check has taken its time; `done` is what is done within it. */
function parts(
  check: "right" | "right, to be renewed",
  held: Credentials,
  done: string[],
  needed: string | null = null,
): AccountParts {
  const tx = new Proxy({} as AccountTx, {
    get: (_, act: string) => async () => {
      done.push(act)
      if (act === "singleSignOnNeeded") return needed
      return act === "lock" ? held : undefined
    },
  })
  return {
    now: () => new Date(0),
    newId: () => "",
    passwords: { hash: async () => "hash as of today", check: async () => check },
    accounts: { findByEmail: async () => ADA, transact: (work: (tx: AccountTx) => unknown) => work(tx) },
  } as unknown as AccountParts
}
