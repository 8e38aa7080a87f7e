import { fetchBytes } from "./client.ts"

/** Fetches with the token, which no link can carry, and hands the file to the browser's own download. */
export async function saveFile(path: string, accept: string, name: string): Promise<void> {
  const response = await fetchBytes(path, accept)
  handOver(await response.blob(), name)
}

export function handOver(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export const pdfName = (title: string): string => (/\.pdf$/i.test(title) ? title : `${title}.pdf`)
