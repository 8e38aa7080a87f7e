import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ImageUp, Stamp, Trash2 } from "lucide-react"
import { useRef, useState } from "react"
import { deleteSealImage, putSealImage, type Seal, sealImage, sealList } from "../../api/seals.ts"
import { LOGO_MAX_BYTES, LOGO_TYPES } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Badge } from "../../parts/badge.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayDay } from "../../parts/said.ts"

type SealRowProps = { readonly seal: Seal; readonly mayChange: boolean }

/** Whom it speaks for, until when, and what it shows. */
export function SealRow({ seal, mayChange }: SealRowProps) {
  const { i18n } = useLingui()
  const { account_name, organization, organization_identifier, status, valid_until } = seal
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 px-5 py-4">
      <SealPicture seal={seal} />
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold break-words">
          {account_name}
          {status === "REQUESTED" && <Badge look="warn">{i18n._("Waits for its certificate")}</Badge>}
        </p>
        <p className="text-sm break-words text-(--muted)">
          {organization}
          {organization_identifier !== null && ` · ${organization_identifier}`}
        </p>
        {valid_until !== null && (
          <p className="text-sm text-(--muted)">
            {i18n._("Valid until {day}, and renewed before that", { day: sayDay(i18n, valid_until) })}
          </p>
        )}
      </div>
      {mayChange && <ChangePicture seal={seal} />}
    </li>
  )
}

function SealPicture({ seal: { id, has_image, account_name } }: { readonly seal: Seal }) {
  const { i18n } = useLingui()
  const image = useQuery({ ...sealImage(id), enabled: has_image })
  return (
    <div className="grid h-16 w-28 shrink-0 place-items-center rounded-lg border border-(--line) bg-white p-2">
      {has_image && image.data !== undefined ? (
        <img
          src={image.data}
          alt={i18n._("What {seal} shows", { seal: account_name })}
          className="max-h-full max-w-full"
        />
      ) : (
        <Stamp aria-hidden="true" size={26} strokeWidth={1.5} className="text-[#545d73]" />
      )}
    </div>
  )
}

/** It is there at once: a picture is looked at, not filled in. */
function ChangePicture({ seal: { id, has_image, account_name } }: { readonly seal: Seal }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const done = (sentence: string) => async () => {
    announce(sentence)
    client.removeQueries({ queryKey: sealImage(id).queryKey })
    await client.invalidateQueries({ queryKey: sealList.queryKey })
  }
  const put = useMutation({
    mutationFn: (file: File) => putSealImage(id, file),
    onSuccess: done(i18n._("The seal shows this picture from now on.")),
  })
  const remove = useMutation({
    mutationFn: () => deleteSealImage(id),
    onSuccess: done(i18n._("The seal shows the company's name again.")),
  })
  const take = (file: File | undefined) => {
    if (file === undefined) return
    const isPicture = LOGO_TYPES.some((type) => type === file.type)
    setRefused(
      !isPicture
        ? i18n._("The picture is a PNG or a JPEG.")
        : file.size > LOGO_MAX_BYTES
          ? i18n._("The picture has at most 512 kB. Please make it smaller.")
          : null,
    )
    if (isPicture && file.size <= LOGO_MAX_BYTES) put.mutate(file)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Wrong error={refused ?? put.error ?? remove.error} />
      <Button
        busy={put.isPending}
        aria-label={
          has_image
            ? i18n._("Replace the picture of {seal}", { seal: account_name })
            : i18n._("Choose a picture for {seal}", { seal: account_name })
        }
        onClick={() => input.current?.click()}
      >
        <ImageUp aria-hidden="true" size={18} />
        {has_image ? i18n._("Replace") : i18n._("Choose a picture")}
      </Button>
      {has_image && (
        <Button
          look="icon"
          busy={remove.isPending}
          aria-label={i18n._("Remove the picture of {seal}", { seal: account_name })}
          onClick={() => remove.mutate()}
        >
          <Trash2 aria-hidden="true" size={18} />
        </Button>
      )}
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
    </div>
  )
}
