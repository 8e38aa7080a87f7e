import { goToProvider, type Problem, type Release } from "../api.ts"
import { useGoing } from "../parts/use-going.ts"
import { isolated, say } from "../words.ts"

type ProviderStepProps = {
  readonly provider: NonNullable<Release["provider"]>
  readonly onNoSession: () => void
}

/** The key lies at a provider: the person goes there, first to be known, then to release it for these documents. */
export function ProviderStep({ provider, onNoSession }: ProviderStepProps) {
  const { visit, problem } = provider
  const values = { title: isolated(provider.title), name: isolated(provider.name ?? "") }
  const { busy, trouble, go } = useGoing(goToProvider, onNoSession, told)
  return (
    <>
      {problem !== null && (
        <p role="status" className="notice mt-4">
          {say(`provider.problem.${problem}`)}
        </p>
      )}
      <p className="mt-4">{say(`provider.${visit}.text`, values)}</p>
      <p role="alert" className="mt-3 font-semibold text-(--danger) empty:hidden">
        {trouble}
      </p>
      <button type="button" className="button button-main mt-4 w-full" aria-disabled={busy} onClick={go}>
        {busy ? say("one-moment") : say(`provider.${visit}.go`, values)}
      </button>
    </>
  )
}

function told({ status, key }: Problem): string {
  if (key === "error.signature.release_over") return say("release.over")
  return say(status === 503 ? "provider.down" : "refused")
}
