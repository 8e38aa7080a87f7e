import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router"
import { Trash2 } from "lucide-react"
import { useState } from "react"
import { oneRequest } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { DeleteSheet } from "../request/delete-sheet.tsx"
import { DocumentsStep } from "./documents-step.tsx"
import { FieldsStep } from "./fields-step.tsx"
import { MessageStep } from "./message-step.tsx"
import { PeopleStep } from "./people-step.tsx"
import { ReviewStep } from "./review-step.tsx"
import { SavedNote, Stepper, sayStep } from "./stepper.tsx"
import { STEPS, type Step } from "./steps.ts"
import { type Keeping, useDraft } from "./use-draft.ts"

const route = getRouteApi("/send/$id")

/** From the draft to the request that is sent, step by step; every step can be entered at any time. */
export function Prepare() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const request = useQuery(oneRequest(id))
  if (request.data && request.data.status_overall !== "DRAFT")
    return <Navigate to="/requests/$id" params={{ id }} replace />
  return (
    <>
      {request.isPending && <Loading />}
      {!request.data && request.isError && (
        <>
          <ScreenTitle title={i18n._("Send a document")} />
          <Wrong error={request.error} />
        </>
      )}
      {request.data && <Steps key={id} request={request.data} />}
    </>
  )
}

function Steps({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const { step } = route.useSearch()
  const keeping = useDraft(request)
  return (
    <>
      <ScreenTitle key={step} title={sayStep(i18n, step)} className="!mb-3">
        <SavedNote state={keeping.state} />
      </ScreenTitle>
      <Stepper id={request.id} step={step} />
      <Wrong error={keeping.error} />
      {step === "documents" && <DocumentsStep request={request} keeping={keeping} />}
      {step === "people" && <PeopleStep keeping={keeping} />}
      {step === "fields" && <FieldsStep request={request} keeping={keeping} />}
      {step === "message" && <MessageStep request={request} keeping={keeping} />}
      {step === "review" && <ReviewStep request={request} keeping={keeping} />}
      {step !== "review" && <Onward request={request} step={step} keeping={keeping} />}
    </>
  )
}

/** At the first step, where there is no way back. */
function Discard({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="bare" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" size={18} />
        {i18n._("Discard the draft")}
      </Button>
      {isAsking && <DeleteSheet request={request} onClose={() => setAsking(false)} />}
    </>
  )
}

type OnwardProps = { readonly request: SignatureRequest; readonly step: Step; readonly keeping: Keeping }

/** One main action at the bottom, where it is found on every step. */
function Onward({ request, step, keeping }: OnwardProps) {
  const { id } = request
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const at = STEPS.indexOf(step)
  const go = async (to: Step | undefined) => {
    if (to === undefined) return
    await keeping.flush()
    await navigate({ to: "/send/$id", params: { id }, search: { step: to } })
  }
  return (
    <div className="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 -mx-4 mt-6 flex justify-between gap-3 border-t border-(--line) bg-(--paper) px-4 pt-3 pb-4 sm:-mx-8 sm:px-8 lg:bottom-0">
      {at > 0 ? (
        <Button onClick={() => go(STEPS[at - 1])}>{i18n._("Back")}</Button>
      ) : (
        <Discard request={request} />
      )}
      <Button look="main" className="min-w-28 sm:min-w-36" onClick={() => go(STEPS[at + 1])}>
        {i18n._("Continue")}
      </Button>
    </div>
  )
}
