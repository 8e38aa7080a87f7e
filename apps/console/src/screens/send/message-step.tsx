import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { api, must } from "../../api/client.ts"
import { isOff } from "../../api/problem.ts"
import type { Quality, SignatureRequest } from "../../api/types.ts"
import { Labelled } from "../../parts/labelled.tsx"
import { RadioCard } from "../../parts/radio-cards.tsx"
import { sayQuality } from "../../parts/said.ts"
import { LAWS } from "../request/facts.tsx"
import type { Draft, Legislation } from "./draft.ts"
import type { Keeping } from "./use-draft.ts"

type MessageStepProps = { readonly request: SignatureRequest; readonly keeping: Keeping }

const MAX_CHARACTERS = 1024

export function MessageStep({ request, keeping: { draft, change } }: MessageStepProps) {
  const { i18n } = useLingui()
  const hasExpiry = useExpiry(request)
  return (
    <div className="grid gap-5">
      <div className="card grid gap-5 p-5">
        <Labelled
          label={i18n._("Message to the signers")}
          hint={i18n._("Signers read it in the invitation.")}
        >
          {(described) => (
            <textarea
              {...described}
              rows={4}
              className="field"
              maxLength={MAX_CHARACTERS}
              value={draft.message}
              onChange={({ target }) => change((before) => ({ ...before, message: target.value }))}
            />
          )}
        </Labelled>
        {hasExpiry && (
          <Labelled
            label={i18n._("Last day to sign")}
            hint={i18n._("After this day nobody can sign. You may leave it empty.")}
          >
            {(described) => (
              <input
                {...described}
                type="date"
                className="field max-w-56"
                min={dayFrom(0)}
                max={dayFrom(180)}
                value={draft.expiresAt}
                onChange={({ target }) => change((before) => ({ ...before, expiresAt: target.value }))}
              />
            )}
          </Labelled>
        )}
      </div>
      <Qualities draft={draft} change={change} />
    </div>
  )
}

const DAY_MS = 86_400_000
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Whether a last day may be given is agreed with each business. A dry run tells, and changes nothing. */
function useExpiry({ id, title, documents }: SignatureRequest): boolean {
  const probe = useQuery({
    queryKey: ["request", id, "expiry"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const body = { title, documents: documents.map((each) => ({ id: each.id })), expires_at: dayFrom(2) }
      try {
        must(await api.POST("/signature-requests", { params: { query: { dry_run: "true" } }, body }))
        return true
      } catch (error) {
        if (isOff(error)) return false
        throw error
      }
    },
  })
  return probe.data ?? false
}

type QualitiesProps = { readonly draft: Draft; readonly change: Keeping["change"] }

const ALL = ["SES", "AES", "AES_MINIMAL", "QES"] as const satisfies readonly Quality[]
const needsLaw = (quality: Quality): boolean => quality === "QES" || quality === "AES_MINIMAL"

function Qualities({ draft, change }: QualitiesProps) {
  const { i18n } = useLingui()
  const available = useQualities()
  const choose = (quality: Quality) =>
    change((before) => ({
      ...before,
      quality,
      legislation: needsLaw(quality) ? (before.legislation ?? "ZERTES") : before.legislation,
    }))
  return (
    <fieldset className="card p-5">
      <legend className="sr-only">{i18n._("Quality of the signature")}</legend>
      <p aria-hidden="true" className="mb-3 text-sm font-semibold">
        {i18n._("Quality of the signature")}
      </p>
      <div className="grid gap-2">
        {ALL.filter((quality) => available.includes(quality) || quality === draft.quality).map((quality) => {
          const [name, meaning] = sayQuality(i18n, quality)
          return (
            <RadioCard
              key={quality}
              group="quality"
              name={name}
              meaning={meaning}
              isChosen={draft.quality === quality}
              onChoose={() => choose(quality)}
            />
          )
        })}
      </div>
      {needsLaw(draft.quality) && (
        <Labelled label={i18n._("Under the law of")} className="mt-4 max-w-xs">
          {(described) => (
            <select
              {...described}
              className="field"
              value={draft.legislation ?? "ZERTES"}
              onChange={({ target }) =>
                change((before) => ({ ...before, legislation: target.value as Legislation }))
              }
            >
              <option value="ZERTES">{i18n._("Switzerland ({law})", { law: LAWS.ZERTES })}</option>
              <option value="EIDAS">{i18n._("The European Union ({law})", { law: LAWS.EIDAS })}</option>
            </select>
          )}
        </Labelled>
      )}
    </fieldset>
  )
}

function useQualities(): readonly Quality[] {
  const { data } = useQuery({
    queryKey: ["qualities"],
    staleTime: 300_000,
    queryFn: async () => must(await api.GET("/user/signature-qualities", {})),
  })
  if (data === undefined) return ["SES"]
  return ALL.filter((quality) => data[quality.toLowerCase() as Lowercase<Quality>].available)
}
