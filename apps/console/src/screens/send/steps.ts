/** The way from a PDF to a request that is sent. */
export const STEPS = ["documents", "people", "fields", "message", "review"] as const
export type Step = (typeof STEPS)[number]

export const readStep = ({ step }: Record<string, unknown>): { readonly step: Step } => ({
  step: STEPS.find((each) => each === step) ?? "documents",
})
