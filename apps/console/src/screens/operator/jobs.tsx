import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { RotateCw } from "lucide-react"
import { type FailedJob, failedJobs, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"

export function Jobs() {
  const { i18n } = useLingui()
  const list = useQuery(failedJobs)
  return (
    <>
      <Wrong error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <Nothing title={i18n._("No job has failed")}>
          {i18n._(
            "Jobs that went wrong are listed here. Most are tried again by themselves; here you can do it at once.",
          )}
        </Nothing>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="card divide-y divide-(--line)">
          {list.data.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </>
  )
}

function JobRow({ job }: { readonly job: FailedJob }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => operatorActs.retryJob(job.id),
    onSuccess: async () => {
      announce(i18n._("It is tried once more."))
      await client.invalidateQueries({ queryKey: ["operator"] })
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-mono text-sm font-semibold">{job.name}</p>
        <p className="text-sm text-(--muted)">
          {sayTime(i18n, job.created_at)}
          {" · "}
          {i18n._("{attempts, plural, one {# attempt} other {# attempts}}", { attempts: job.attempts })}
          {job.next_attempt_at !== undefined && (
            <>
              {" · "}
              {i18n._("Next attempt {when}", { when: sayTime(i18n, job.next_attempt_at) })}
            </>
          )}
        </p>
        {job.error !== null && <p className="mt-1 text-sm text-(--danger)">{job.error}</p>}
      </div>
      <Wrong error={retry.error} />
      <Button busy={retry.isPending} onClick={() => retry.mutate()}>
        <RotateCw aria-hidden="true" size={18} />
        {i18n._("Try again")}
        <span className="sr-only"> {job.name}</span>
      </Button>
    </li>
  )
}
