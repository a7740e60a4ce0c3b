/** Names of this machine, with and without the brackets that IPv6 addresses have in a URL. */
const LOOPBACK = /^((.+\.)?localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Returns whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
