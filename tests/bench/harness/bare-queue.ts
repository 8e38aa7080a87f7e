// The job engine as a worker of ours has it, with tasks that do nothing. Told where the database is; says when it works.
import { type Handlers, openJobs } from "@paraph/store/jobs/jobs"

process.once("message", async (databaseUrl: string) => {
  const jobs = await openJobs(databaseUrl, { worker: true, onError: () => undefined })
  const nothing = async () => undefined
  await jobs.work(new Proxy({}, { get: () => nothing }) as Handlers, () => undefined)
  process.send?.("works")
})
process.once("disconnect", () => process.exit(0))
