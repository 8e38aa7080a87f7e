/** User and group of processes that root starts. Neither Debian nor systemd gives this number to anything. */
export const SANDBOX_UID = 65_533

export const isRoot = (): boolean => process.geteuid?.() === 0
