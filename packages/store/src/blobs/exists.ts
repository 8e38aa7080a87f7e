import { type Bucket, ObjectMissing } from "./bucket.ts"

/** Whether an object of that name is there; by its first octet, since stores tell of their objects in different ways. */
export async function exists(bucket: Bucket, name: string): Promise<boolean> {
  try {
    for await (const _ of bucket.get(name, { start: 0, end: 1 })) break
    return true
  } catch (error) {
    if (error instanceof ObjectMissing) return false
    throw error
  }
}
