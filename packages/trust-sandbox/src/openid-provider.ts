import type { Provider } from "oidc-provider"

export type Openid = { readonly provider: Provider; readonly rest: ReturnType<Provider["callback"]> }

/** The library is large, and most who start a sandbox never come to its providers: it is read when somebody does. */
export function openidProvider(issuer: string, configuration: () => object): () => Promise<Openid> {
  let made: Promise<Openid> | null = null
  const make = async (): Promise<Openid> => {
    const { Provider } = await import("oidc-provider")
    const provider = new Provider(issuer, configuration())
    return { provider, rest: provider.callback() }
  }
  return () => {
    made ??= make()
    return made
  }
}
