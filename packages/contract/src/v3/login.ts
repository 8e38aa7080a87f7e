import { Type } from "typebox"
import * as shared from "../shared/login.ts"

/** Part 4.1: JSON, and nothing that is not known (security, R09). */
export const LoginBody = Type.Object(shared.loginMembers, { additionalProperties: false })
export type LoginBody = Type.Static<typeof LoginBody>

export const readLogin = shared.readLogin

/** Part 5.5: about 20 minutes in v2 and later. */
export const TOKEN_LIFETIME_SECONDS = 20 * 60
