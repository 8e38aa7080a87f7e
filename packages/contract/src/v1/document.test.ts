import { expect, it } from "vitest"
import * as v2 from "../v2/document.ts"
import * as v1 from "./document.ts"

it("documents are those of v2, every schema and every translator", () => {
  expect({ ...v1 }).toStrictEqual({ ...v2 })
})
