import { type Answer, call, type Version } from "./api.ts"

/** Part 4.1: v1 takes a form, the others JSON. */
export function logIn(url: string, v: Version, username: string, apiKey: string): Promise<Answer> {
  const credentials = { username, "api-key": apiKey }
  const form = { "content-type": "application/x-www-form-urlencoded" }
  return v === "v1"
    ? call(url, "POST", "/v1/access/login", new URLSearchParams(credentials).toString(), form)
    : call(url, "POST", `/${v}/access/login`, credentials, {})
}

/** Any operation that answers 200 to whoever has a token. */
export const askWith = (url: string, v: Version, token: string): Promise<Answer> =>
  call(url, "GET", `/${v}/documents`, undefined, { authorization: `Bearer ${token}` })
