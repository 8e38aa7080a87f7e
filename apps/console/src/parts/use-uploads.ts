import { useCallback, useState } from "react"
import type { Document } from "../api/types.ts"
import { uploadPdf } from "../api/upload.ts"

export type Upload = {
  readonly key: string
  readonly name: string
  readonly file: File
  /** 0 to 1; at 1 the service looks into the file. */
  readonly share: number
  readonly error: unknown
  /** Its last try was one with what was refused removed. */
  readonly isFlattened?: boolean
}

/** Files on their way up. Those that arrived are handed over and leave the list; those that were refused stay in it. */
export function useUploads(onArrived: (document: Document) => Promise<unknown>) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])

  const add = useCallback(
    async (files: readonly File[]) => {
      const update = (key: string, change: Partial<Upload>) =>
        setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)))
      const fresh = files.map((file) => ({ file, key: crypto.randomUUID() }))
      setUploads((all) => [
        ...all.filter(({ error }) => error === null),
        ...fresh.map(({ file, key }) => ({ key, name: file.name, file, share: 0, error: null })),
      ])
      // One after the other: they stay in the order in which they were dropped.
      for (const { file, key } of fresh) {
        try {
          await onArrived(await uploadPdf(file, (share) => update(key, { share })))
          setUploads((all) => all.filter((each) => each.key !== key))
        } catch (error) {
          update(key, { error })
        }
      }
    },
    [onArrived],
  )
  /** Sends a file that was refused once more, without what it was refused for. */
  const flatten = useCallback(
    async ({ key, file }: Upload) => {
      const update = (change: Partial<Upload>) =>
        setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)))
      update({ error: null, share: 0, isFlattened: true })
      try {
        await onArrived(await uploadPdf(file, (share) => update({ share }), true))
        setUploads((all) => all.filter((each) => each.key !== key))
      } catch (error) {
        update({ error })
      }
    },
    [onArrived],
  )
  const forget = useCallback((key: string) => setUploads((all) => all.filter((each) => each.key !== key)), [])
  return { uploads, add, flatten, forget, isBusy: uploads.some(({ error }) => error === null) }
}
