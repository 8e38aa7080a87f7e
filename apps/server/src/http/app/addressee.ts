import { displayName } from "@paraph/core/names/characters"
import type { Signature } from "@paraph/core/signature-request/model"

/** Whom our pages are meant for: the address, or the name of somebody who is known by identity data alone (part 2.4). */
export function addressee({ email, identity }: Pick<Signature, "email" | "identity">): string {
  const names = [identity?.firstName, identity?.lastName].filter((name) => typeof name === "string")
  return email ?? displayName(names.join(" "))
}
