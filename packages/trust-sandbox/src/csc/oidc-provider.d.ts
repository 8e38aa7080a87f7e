/** As much of it as the sandbox and the tests use; the package brings no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  type Interaction = {
    readonly uid: string
    readonly prompt: { readonly name: string }
    readonly params: Readonly<Record<string, string>>
    readonly session?: { readonly accountId: string }
  }
  type Token = {
    readonly accountId: string
    readonly clientId: string
    readonly grantId: string
    readonly scope?: string
  }
  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: {
      new (of: {
        accountId: string
        clientId: string
      }): {
        addOIDCScope(scope: string): void
        addOIDCClaims(claims: string[]): void
        save(): Promise<string>
      }
      find(id: string): Promise<object | undefined>
    }
    readonly AccessToken: { find(value: string): Promise<Token | undefined> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>
  }
}
