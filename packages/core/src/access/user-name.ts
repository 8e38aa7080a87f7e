/**
 * The form in which the names of users are compared: access lists name users by email address, and an address is the same in upper
 * and lower case. The stored lists keep the form in which they were sent.
 */
export const comparableName = (name: string): string => name.toLowerCase()

export const namesInclude = (names: readonly string[], name: string): boolean =>
  names.some((one) => comparableName(one) === comparableName(name))
