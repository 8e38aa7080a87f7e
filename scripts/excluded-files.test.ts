import { expect, it } from "vitest"
import { refuseExcludedFiles } from "../tests/service/excluded-files.ts"

const FILE = "tests/conformance/documents.test.ts"

it("naming a test file that is excluded fails", () => {
  expect(() => refuseExcludedFiles(["run", FILE], [FILE])).toThrow("PARAPH_LONG=true")
  expect(() => refuseExcludedFiles(["run", `./${FILE}`], ["tests/conformance/*.test.ts"])).toThrow(FILE)
})

it("naming one that is not excluded, or a folder with others, is allowed", () => {
  expect(() => refuseExcludedFiles(["run", "--project", "pure", FILE], [])).not.toThrow()
  expect(() => refuseExcludedFiles(["run", "tests/conformance"], [FILE])).not.toThrow()
  expect(() => refuseExcludedFiles(["run", "packages/pades"], [FILE])).not.toThrow()
  expect(() => refuseExcludedFiles(["run", "--project", "documents"], [FILE])).not.toThrow()
})
