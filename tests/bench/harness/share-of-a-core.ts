// Programs held to a share of a core by the kernel (cgroups(7)), so that several fit beside all that they ask on a machine with few
// cores: whether a second one adds as much as the first can only be seen while there is something left to take.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = "/sys/fs/cgroup"
const PERIOD_US = 20_000

/** With everything that it has started and will start. Answers who lets it go again, once it has ended. */
export function holdTo(share: number, pid: number): () => void {
  const isOld = existsSync(join(ROOT, "cpu", "cpu.cfs_quota_us"))
  const group = join(ROOT, isOld ? "cpu" : "", `paraph-bench-${pid}`)
  mkdirSync(group)
  const quota = String(Math.round(share * PERIOD_US))
  if (isOld) {
    writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD_US))
    writeFileSync(join(group, "cpu.cfs_quota_us"), quota)
  } else writeFileSync(join(group, "cpu.max"), `${quota} ${PERIOD_US}`)
  for (const one of [pid, ...below(pid)]) writeFileSync(join(group, "cgroup.procs"), String(one))
  return () => rmdirSync(group)
}

function below(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...below(child)])
}
