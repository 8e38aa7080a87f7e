import { Type } from "typebox"
import { TEXT } from "../shared/fields.ts"

/** Part 4.1. */
export const LoginBody = Type.Object({
  username: Type.String({ maxLength: 255, pattern: TEXT }),
  "api-key": Type.String({ maxLength: 255 }),
})
export type LoginBody = Type.Static<typeof LoginBody>

export const readLogin = (body: LoginBody) => ({ username: body.username, apiKey: body["api-key"] })

/** Part 5.5: about 20 minutes in v2 and later. */
export const TOKEN_LIFETIME_SECONDS = 20 * 60
