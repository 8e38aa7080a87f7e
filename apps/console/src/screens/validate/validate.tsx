import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { creditInfos } from "../../api/validation.ts"
import { whisper } from "../../parts/announce.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { focusTitle, ScreenTitle } from "../../parts/screen-title.tsx"
import { Choose } from "./choose.tsx"
import { Result } from "./result.tsx"
import { Running } from "./running.tsx"
import { useValidation } from "./use-validation.ts"

/** Anybody's signed PDF: who signed it, whether that holds, and whether it still is what was signed. */
export function Validate() {
  const { i18n } = useLingui()
  const infos = useQuery(creditInfos)
  return (
    <>
      <ScreenTitle title={i18n._("Validate a document")} />
      <Wrong error={infos.data === undefined ? infos.error : null} />
      {infos.isPending && <Loading />}
      {infos.data === null && (
        <Nothing title={i18n._("This service does not offer validation")}>
          {i18n._("Whoever runs it can switch it on.")}
        </Nothing>
      )}
      {infos.data && <Stages />}
    </>
  )
}

function Stages() {
  const { i18n } = useLingui()
  const { stage, begin, startAnew } = useValidation()
  const backToStart = () => {
    startAnew()
    focusTitle()
  }
  const before = useRef(stage.at)
  useEffect(() => {
    // The button that was pressed is gone; what went wrong is read out as well.
    if (before.current === "running" && stage.at === "choosing") focusTitle()
    before.current = stage.at
  }, [stage.at])
  switch (stage.at) {
    case "choosing":
      return <Choose refused={stage.refused} onFile={begin} />
    case "running":
      return (
        <Running
          {...stage}
          onCancel={() => {
            backToStart()
            whisper(i18n._("Cancelled."))
          }}
        />
      )
    case "done":
      return <Result {...stage.done} onAnother={backToStart} />
  }
}
