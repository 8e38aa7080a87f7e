/**
 * Part 6, rule 2: two case-sensitive placeholders, anywhere in path and query; a URL without them is called
 * unchanged. One with a placeholder in the host is refused on create (decisions, "callback delivery").
 */
export function callbackAddress(template: string, requestId: string, documentId: string): string {
  return template
    .replaceAll("SERVICE_SIGNATURE_REQUEST_ID", requestId)
    .replaceAll("SERVICE_DOCUMENT_ID", documentId)
}

/** What is wrong with a callback URL, or null. Checked on create; the outbound client checks the address again. */
export function callbackUrlFault(template: string): string | null {
  const url = URL.parse(template)
  if (url === null) return "is not a URL"
  if (url.protocol !== "https:") return "must be https"
  if (url.username !== "" || url.password !== "") return "may not carry a user name or a password"
  // Host names are lower-cased by the URL parser, so compare the written form without regard to case.
  if (/service_(signature_request|document)_id/i.test(url.host))
    return "may not have a placeholder in its host"
  return null
}
