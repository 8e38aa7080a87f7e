import { type ChangeEvent, useState } from "react"
import { type Look, Problem, sendPicture } from "../api.ts"
import { say } from "../words.ts"

type UploadTabProps = { readonly missing: boolean; readonly onPicture: (picture: Look | null) => void }

const TYPES = ["image/png", "image/jpeg"]
const MAX_BYTES = 5_000_000

type Trouble = "kind" | "refused" | "unreachable" | "another-shown"

export function UploadTab({ missing, onPicture }: UploadTabProps) {
  const [state, setState] = useState<"idle" | "sending" | Trouble>("idle")

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    if (file === undefined) return
    onPicture(null)
    if (!TYPES.includes(file.type) || file.size > MAX_BYTES) return setState("kind")
    setState("sending")
    try {
      onPicture(await sendPicture(file))
      setState("idle")
    } catch (error) {
      setState(troubleOf(error))
    }
  }

  return (
    <>
      <label htmlFor="picture" className="block font-semibold">
        {say("look.choose-picture")}
      </label>
      <p id="picture-hint" className="text-sm text-(--muted)">
        {say("look.picture-hint")}
      </p>
      <input
        id="picture"
        type="file"
        accept={TYPES.join(",")}
        className="field file mt-2"
        aria-describedby="picture-hint picture-trouble"
        onChange={(event) => void choose(event)}
      />
      <p role="status" className="mt-1">
        {state === "sending" && say("look.picture-sending")}
      </p>
      <p id="picture-trouble" role="alert" className="mt-1 font-semibold text-(--danger)">
        {state === "kind" && say("look.picture-kind")}
        {state === "refused" && say("look.picture-refused")}
        {state === "unreachable" && say("unreachable")}
        {state === "another-shown" && say("another-shown")}
        {state === "idle" && missing && say("look.picture-missing")}
      </p>
    </>
  )
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Problem) || error.status === 0) return "unreachable"
  return error.key === "error.session.other" ? "another-shown" : "refused"
}
