import { describe, expect, it } from "vitest"
import { nearest } from "./nearest.ts"

const NAMES = ["sandbox", "send", "sign", "status", "verify", "ca"]

describe("what somebody may have meant", () => {
  it("is the name that a slip of the finger leads away from", () => {
    expect(["sandbx", "snadbox", "sed", "singn", "verfiy"].map((typed) => nearest(typed, NAMES))).toEqual([
      ...["sandbox", "sandbox", "send", "sign", "verify"],
    ])
  })

  it("is nothing where no name is near", () => {
    expect(["dance", "", "x", "constructor"].map((typed) => nearest(typed, NAMES))).toEqual([
      ...[null, null, null, null],
    ])
  })
})
