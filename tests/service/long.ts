/**
 * Whether the whole of it is asked for, as each night (`npm run test:long`): whatever draws cases then draws as many as was promised, and
 * files that take minutes run too. Otherwise a landing would wait an hour and a half for what hardly ever differs from the day before.
 */
export const isLong = process.env.PARAPH_LONG === "true"
