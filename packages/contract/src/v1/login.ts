import { Refusal } from "@paraph/core/refusal"
import * as v2 from "../v2/login.ts"

/** Part 4.1: v1 takes a form where later versions take JSON; the members are the same. */
export const LoginBody = v2.LoginBody
export type LoginBody = v2.LoginBody

export const readLogin = v2.readLogin

/** Part 5.5: about 60 minutes in v1. */
export const TOKEN_LIFETIME_SECONDS = 60 * 60

/** A body of the type application/x-www-form-urlencoded, as an object to be held against the schema. */
export function parseForm(text: string): Readonly<Record<string, string>> {
  const entries = [...new URLSearchParams(text)]
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw new Refusal("constraint-violated", "A field of the form is given twice.")
  return Object.fromEntries(entries)
}
