// A worker that takes jobs and never ends one; it says which it took, and waits to be killed.
import { openJobs } from "../jobs/jobs.ts"

// Nobody is left to kill it when the test itself has died.
process.once("disconnect", () => process.exit())

process.once("message", async (databaseUrl: string) => {
  const jobs = await openJobs(databaseUrl, { worker: true, onError: () => undefined })
  const take = ({ id, attempt }: { readonly id: string; readonly attempt: number }) => {
    process.send?.({ id, attempt })
    return new Promise<void>(() => undefined)
  }
  const all = {
    "invite-signer": take,
    "send-mail": take,
    "send-code": take,
    "prepare-release": take,
    "sign-remotely": take,
    "seal-document": take,
    "seal-batch": take,
    "seal-report": take,
    "seal-protocol": take,
    "sign-document": take,
    "ask-identity-provider": take,
    "write-to-account": take,
  }
  await jobs.work(all, () => undefined)
})
