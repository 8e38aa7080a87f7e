/** What a document's bytes and its key are bound to: whose they are, and under which name they lie (R35). */
export const blobContext = (businessId: string, name: string): string => `${businessId} ${name}`
