// There are no files behind the page but those that somebody gives it.

const none = (): never => {
  throw new Error("There is no file system here.")
}

export const openSync = none
export const closeSync = none
export const readSync = none
export const fstatSync = none
export const constants = { O_RDONLY: 0, O_NONBLOCK: 0 } as const
