/** Returns the message for an instance whose call is in flight or has an unknown outcome, with the command that decides the latter. */
export function openCallText(plan: string, address: string, namespace: string): string {
  // An instance key in brackets needs quotes in a shell.
  const argument = /[[" ]/.test(address) ? `'${address}'` : address
  return `plan ${plan} is changing it, or its outcome is unknown: wait for the plan, or run "hykube resolve ${argument} -n ${namespace}"`
}
