import { StatusError } from '@hykube/machinery/status'
import { CommandError } from '../command/index.ts'

/** What went wrong, and what to do about it, line by line. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // A sentence of a command's own stands as it is; anything else says who speaks.
  const first = error instanceof CommandError && /^[A-Z]/.test(message) ? message : `hykube: ${message}`
  return [first, ...adviceOn(error).map((line) => `  ${line}`), ''].join('\n')
}

function adviceOn(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.advice
  if (error instanceof StatusError) return adviceOnStatus(error)
  if (error instanceof Error && error.name === 'ConnectionError')
    return ['Is the server running? Start it:  hykube serve', 'Is it another one?  --kubeconfig FILE, --context NAME']
  if (error instanceof Error && error.name === 'KubeconfigError')
    return ['Name another one:  --kubeconfig FILE, --context NAME']
  return []
}

function adviceOnStatus({ reason, details }: StatusError): readonly string[] {
  switch (reason) {
    case 'Forbidden':
      return ['You may not do this. See what you may:  kubectl auth can-i --list']
    case 'Unauthorized':
      return ['The server does not know you: the credentials of the kubeconfig are not, or no longer, good']
    case 'NotFound':
      return details?.kind === 'plans' ? ['See all plans:  hykube history'] : []
    case 'AlreadyExists':
      return details?.kind === 'plans' ? ['Choose another name, or let the server choose: leave out --out'] : []
    case 'TooManyRequests':
      return ['The server is busy. Try again in a moment']
    default:
      return []
  }
}
