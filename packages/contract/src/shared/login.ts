import { Type } from "typebox"
import { TEXT } from "./fields.ts"

/** Part 4.1: the same two members in every version, whatever form they come in. */
export const loginMembers = {
  username: Type.String({ maxLength: 255, pattern: TEXT }),
  "api-key": Type.String({ maxLength: 255 }),
}

export const readLogin = (body: Type.Static<Type.TObject<typeof loginMembers>>) => ({
  username: body.username,
  apiKey: body["api-key"],
})
