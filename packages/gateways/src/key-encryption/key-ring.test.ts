import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createKeyRing } from "./key-ring.ts"
import { localFileKeyEncryption } from "./local-file.ts"
import type { KeyEncryption } from "./open-key-encryption.ts"

const fresh = () => localFileKeyEncryption({ key: randomBytes(32).toString("hex") })
const key = randomBytes(32)

describe("a ring of keys", () => {
  it("wraps with the current key and says so, and unwraps with the key that is named", async () => {
    const [old, current] = [fresh(), fresh()]
    const wrappedBefore = await createKeyRing(old).wrap(key, "business a")
    const ring = createKeyRing(current, [old])
    const wrappedNow = await ring.wrap(key, "business a")
    expect([wrappedBefore.id, wrappedNow.id, ring.currentId]).toEqual([old.id, current.id, current.id])
    expect(ring.ids).toEqual([current.id, old.id])
    for (const each of [wrappedBefore, wrappedNow])
      expect(Buffer.from(await ring.unwrap(each, "business a"))).toEqual(key)
    await ring.health()
  })

  it("names the id of a key that it does not have", async () => {
    const gone = fresh()
    const wrapped = await createKeyRing(gone).wrap(key, "business a")
    await expect(createKeyRing(fresh()).unwrap(wrapped, "business a")).rejects.toMatchObject({
      code: "no-such-key",
      message: expect.stringContaining(gone.id),
    })
  })

  it("does not try one key after the other where the named one does not open it", async () => {
    const [one, other] = [fresh(), fresh()]
    const { wrapped } = await createKeyRing(one).wrap(key, "business a")
    const lied = createKeyRing(one, [other]).unwrap({ id: other.id, wrapped }, "business a")
    await expect(lied).rejects.toMatchObject({ code: "corrupt" })
  })

  it("gives nothing out to be stored that it has not seen to open", async () => {
    const good = fresh()
    const forgetful: KeyEncryption = { ...good, wrap: (_, context) => good.wrap(randomBytes(32), context) }
    const garbling: KeyEncryption = { ...good, wrap: async () => randomBytes(60) }
    await expect(createKeyRing(forgetful).wrap(key, "a")).rejects.toMatchObject({ code: "refused" })
    await expect(createKeyRing(garbling).wrap(key, "a")).rejects.toMatchObject({ code: "corrupt" })
  })

  it("refuses two keys of one id, and is ill where any of its keys is", async () => {
    const [one, other] = [fresh(), fresh()]
    expect(() => createKeyRing(one, [other, one])).toThrow("same id")
    await other.close()
    await expect(createKeyRing(one, [other]).health()).rejects.toMatchObject({ code: "down" })
  })

  it("closes all of its keys", async () => {
    const [one, other] = [fresh(), fresh()]
    await createKeyRing(one, [other]).close()
    for (const each of [one, other]) await expect(each.wrap(key, "a")).rejects.toMatchObject({ code: "down" })
  })
})
