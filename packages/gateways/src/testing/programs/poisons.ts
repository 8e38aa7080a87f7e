// For the tests: a child that tries to change what the processes after it will run.

import { appendFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answerOnce } from "../../pdf/answer.ts"

answerOnce<null>(() => {
  // biome-ignore lint/style/noProcessEnv: where Node keeps what it compiled.
  const cache = process.env.NODE_COMPILE_CACHE ?? ""
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const deeds = [
    () => writeFileSync(join(cache, "new"), "x"),
    ...files.map(
      ({ parentPath, name }) =>
        () =>
          appendFileSync(join(parentPath, name), "x"),
    ),
  ]
  return { value: { files: files.length, written: deeds.filter(succeeds).length } }
})

function succeeds(deed: () => void): boolean {
  try {
    deed()
    return true
  } catch {
    return false
  }
}
