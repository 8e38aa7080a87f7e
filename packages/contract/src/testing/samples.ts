import type { Held } from "@paraph/core/document/ports"
import fc from "fast-check"

/** Bytes that the server has taken in already: a translator hands them on and never looks inside. */
export const HELD: Held = {
  businessId: "b1",
  kind: "production",
  name: "documents/aa-sample",
  sizeBytes: 9,
  sha256: "",
  file: { path: "sample", key: new Uint8Array(32), context: "sample", sizeBytes: 9 },
  release: async () => {},
}

/** Any string at all. (The unit "binary" of fast-check says the same, and takes a second to get ready.) */
export const anyText = (limits?: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) })
