/** The sentence of a changeset; what stands above it says which packages it raises. */
export function sentenceOf(changeset: string): string {
  return changeset.replace(/^---\n[\s\S]*?\n---\n/, "").trim()
}

/** The changelog with a section for this version, above all earlier ones; what was written by hand under "Unreleased" comes first in it. */
export function withVersion(
  changelog: string,
  version: string,
  day: string,
  sentences: readonly string[],
): string {
  const [, head = "", unreleased = "", earlier = ""] =
    /^([\s\S]*?)## Unreleased\n([\s\S]*?)((?:^## [\s\S]*)?)$(?![\s\S])/m.exec(changelog) ?? []
  if (head === "") throw new Error('CHANGELOG.md has no section "Unreleased".')
  const byHand = unreleased.replace(/^Nothing has been released yet\.$/m, "").trim()
  const list = sentences.map((sentence) => `- ${sentence.replaceAll("\n", "\n  ")}`).join("\n")
  const section = [`## ${version} - ${day}`, byHand, list].filter((part) => part !== "").join("\n\n")
  return `${head}## Unreleased\n\n${section}\n${earlier === "" ? "" : `\n${earlier}`}`
}

/** What the newest version brought, for the page of the release. */
export function newest(changelog: string): string {
  const found = /^## \d[^\n]*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1]
  if (found === undefined) throw new Error("CHANGELOG.md has no version yet.")
  return found.trim()
}
