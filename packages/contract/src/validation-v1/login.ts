import { Type } from "typebox"
import * as shared from "../shared/login.ts"
import * as v1 from "../v1/login.ts"

/** Decisions, "login": JSON or a form, the same members in both. */
export const LoginBody = Type.Object(shared.loginMembers)
export type LoginBody = Type.Static<typeof LoginBody>

export const readLogin = shared.readLogin
export const parseForm = v1.parseForm

/** Choice 411: as in v2, the version beside which it stands. */
export const TOKEN_LIFETIME_SECONDS = 20 * 60
