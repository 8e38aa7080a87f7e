import { readFileSync, unwatchFile, watchFile } from "node:fs"
import { createSecureContext } from "node:tls"

export type TlsFiles = { readonly certificate: string; readonly key: string }
export type TlsMaterial = { readonly cert: Buffer; readonly key: Buffer; readonly minVersion: "TLSv1.2" }

/** A server of node:https. */
export type RenewableServer = { readonly setSecureContext: (material: TlsMaterial) => void }

/** How often the files are looked at. A file system without notifications, such as that of a Secret, is watched, too. */
const LOOK_EVERY_MS = 5_000

export const readTls = ({ certificate, key }: TlsFiles): TlsMaterial => ({
  cert: readFileSync(certificate),
  key: readFileSync(key),
  minVersion: "TLSv1.2",
})

/**
 * New connections get a renewed certificate without a restart. Files that do not fit each other are left aside, and looked at again at
 * their next change: they are written one after the other.
 */
export function reloadTls(
  server: RenewableServer,
  files: TlsFiles,
  told: { readonly onReloaded: () => void; readonly onUnusable: (error: unknown) => void },
  everyMs = LOOK_EVERY_MS,
): () => void {
  const reload = () => {
    try {
      const material = readTls(files)
      // It throws before the server has given up the old one.
      createSecureContext(material)
      server.setSecureContext(material)
      told.onReloaded()
    } catch (error) {
      told.onUnusable(error)
    }
  }
  const watched = [files.certificate, files.key]
  for (const file of watched) watchFile(file, { interval: everyMs, persistent: false }, reload)
  return () => {
    for (const file of watched) unwatchFile(file, reload)
  }
}
