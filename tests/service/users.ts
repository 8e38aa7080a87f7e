import { type Api, createApi } from "./api.ts"
import type { Service } from "./service.ts"

/** Another user of the caller's business, or of the business given, logged in with a key of its own. */
export async function addUser(
  service: Service,
  username: string,
  { business = service.business, kind = "demo" }: { business?: string; kind?: "demo" | "production" } = {},
): Promise<Api> {
  await service.paraph("admin", "create-user", "--business", business, "--username", username)
  const made = await service.paraph("admin", "create-key", "--user", username, "--kind", kind)
  return createApi(service.url, username, made["api-key"] ?? "")
}

export async function addBusiness(service: Service, name: string): Promise<string> {
  return (await service.paraph("admin", "create-business", "--name", name)).business ?? ""
}
