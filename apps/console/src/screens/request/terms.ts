import type { RequestChange } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"

export type Terms = {
  readonly title: string
  readonly message: string
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
}

export const termsOf = ({ title, message, read_access, write_access }: SignatureRequest): Terms => ({
  title,
  message: message ?? "",
  readAccess: read_access,
  writeAccess: write_access,
})

/** Only what is another one now: what somebody else has changed meanwhile stays theirs. */
export function termsChanged(request: SignatureRequest, { title, message, ...access }: Terms): RequestChange {
  const before = termsOf(request)
  const isSame = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((each) => b.includes(each))
  return {
    ...(title.trim() !== before.title && { title: title.trim() }),
    ...(message.trim() !== before.message && { message: message.trim() === "" ? null : message.trim() }),
    ...(!isSame(access.readAccess, before.readAccess) && { read_access: [...access.readAccess] }),
    ...(!isSame(access.writeAccess, before.writeAccess) && { write_access: [...access.writeAccess] }),
  }
}
