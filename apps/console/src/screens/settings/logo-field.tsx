import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { ImageUp, Trash2 } from "lucide-react"
import { type DragEvent, useRef, useState } from "react"
import { deleteLogo, LOGO_MAX_BYTES, LOGO_TYPES, ownSettings, putLogo } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"

type LogoFieldProps = { readonly logo: string | null; readonly mayChange: boolean }

/** It is there at once: a picture is looked at, not filled in. */
export function LogoField({ logo, mayChange }: LogoFieldProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const renew = () => client.invalidateQueries({ queryKey: ownSettings.queryKey })
  const put = useMutation({
    mutationFn: putLogo,
    onSuccess: async () => {
      announce(i18n._("Your logo is in use from now on."))
      await renew()
    },
  })
  const remove = useMutation({
    mutationFn: deleteLogo,
    onSuccess: async () => {
      announce(i18n._("The logo was removed."))
      await renew()
    },
  })
  const take = (file: File | undefined) => {
    if (file === undefined) return
    const isPicture = LOGO_TYPES.some((type) => type === file.type)
    setRefused(
      !isPicture
        ? i18n._("A logo is a PNG or a JPEG.")
        : file.size > LOGO_MAX_BYTES
          ? i18n._("A logo has at most 512 kB. Please make it smaller.")
          : null,
    )
    if (isPicture && file.size <= LOGO_MAX_BYTES) put.mutate(file)
  }
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(is && mayChange)
  }
  return (
    <Section title={i18n._("Logo")}>
      <Wrong error={refused ?? put.error ?? remove.error} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first */}
      <div
        className="drop flex flex-wrap items-center gap-5 p-5"
        data-over={isOver}
        onDragEnter={over(true)}
        onDragOver={over(true)}
        onDragLeave={over(false)}
        onDrop={(event) => {
          over(false)(event)
          if (mayChange) take(event.dataTransfer.files[0])
        }}
      >
        <div className="grid h-20 w-40 shrink-0 place-items-center rounded-lg border border-(--line) bg-white p-3">
          {logo === null ? (
            <span className="text-sm text-[#545d73]">{i18n._("No logo yet")}</span>
          ) : (
            <img src={logo} alt={i18n._("Your logo")} className="max-h-full max-w-full" />
          )}
        </div>
        <div className="min-w-48 flex-1">
          {mayChange && (
            <div className="mb-2 flex flex-wrap gap-2">
              <Button busy={put.isPending} onClick={() => input.current?.click()}>
                <ImageUp aria-hidden="true" size={18} />
                {logo === null ? i18n._("Choose a picture") : i18n._("Replace")}
              </Button>
              {logo !== null && (
                <Button look="bare" busy={remove.isPending} onClick={() => remove.mutate()}>
                  <Trash2 aria-hidden="true" size={18} />
                  {i18n._("Remove")}
                </Button>
              )}
            </div>
          )}
          <p className="text-sm text-(--muted)">
            {i18n._("PNG or JPEG, at most 512 kB. A wide picture with a transparent background looks best.")}
          </p>
        </div>
        {mayChange && (
          <input
            ref={input}
            type="file"
            accept={LOGO_TYPES.join(",")}
            hidden
            onChange={({ target }) => {
              take(target.files?.[0])
              target.value = ""
            }}
          />
        )}
      </div>
    </Section>
  )
}
