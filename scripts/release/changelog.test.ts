import { expect, it } from "vitest"
import { newest, sentenceOf, withVersion } from "./changelog.ts"

const BEGUN =
  "# Changelog\n\nWords.\n\n## Unreleased\n\nNothing has been released yet.\n\n### Added\n\n- By hand.\n"

it("takes the sentences of the changesets into the changelog, below those that stand there by hand", () => {
  const first = withVersion(BEGUN, "0.1.0", "2027-01-02", [
    sentenceOf('---\n"@paraph/server": minor\n---\n\nOne.\n\nTwo.\n'),
  ])
  expect(first).toBe(
    "# Changelog\n\nWords.\n\n## Unreleased\n\n## 0.1.0 - 2027-01-02\n\n### Added\n\n- By hand.\n\n- One.\n  \n  Two.\n",
  )
  const second = withVersion(first, "0.2.0", "2027-02-03", ["Three."])
  expect(second).toContain("## Unreleased\n\n## 0.2.0 - 2027-02-03\n\n- Three.\n\n## 0.1.0 - 2027-01-02\n")
  expect(newest(second)).toBe("- Three.")
  expect(newest(first)).toContain("- One.")
})
