import { expect, it } from "vitest"
import { withServiceScope } from "./service-scope.ts"

it.each([
  ["postgres://a:b@h/d", "postgres://a:b@h/d?options=-c%20paraph.scope%3Dservice"],
  [
    "postgres://a:b@h:1,i:2/d?target_session_attrs=read-write",
    "postgres://a:b@h:1,i:2/d?target_session_attrs=read-write&options=-c%20paraph.scope%3Dservice",
  ],
  [
    "postgres://a:b@h/d?options=-c%20work_mem%3D8MB",
    "postgres://a:b@h/d?options=-c%20work_mem%3D8MB%20-c%20paraph.scope%3Dservice",
  ],
])("[B13] an address with the service scope keeps what else it has: %s", (address, scoped) => {
  expect(withServiceScope(address)).toBe(scoped)
  expect(withServiceScope(scoped)).toBe(scoped)
})
