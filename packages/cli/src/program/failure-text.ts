import { messageOf } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'
import { CommandError } from '../command/index.ts'

/** The message of a failure, followed by its remedies. */
export function failureText(error: unknown): string {
  const message = messageOf(error)
  // Full sentences of a command are printed as they are; other messages get the name of the program.
  const first = error instanceof CommandError && /^[A-Z]/.test(message) ? message : `hykube: ${message}`
  return [first, ...adviceOn(error).map((line) => `  ${line}`), ''].join('\n')
}

function adviceOn(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.advice
  if (error instanceof StatusError) return adviceOnStatus(error)
  if (error instanceof Error && error.name === 'ConnectionError')
    return [
      'Is the server running? Start it:  hykube serve',
      'Is it another server?  --kubeconfig FILE, --context NAME',
    ]
  if (error instanceof Error && error.name === 'KubeconfigError')
    return ['To use another kubeconfig:  --kubeconfig FILE, --context NAME']
  return []
}

function adviceOnStatus({ reason, details, message }: StatusError): readonly string[] {
  switch (reason) {
    case 'Forbidden':
      return ['To list your permissions:  kubectl auth can-i --list']
    case 'Unauthorized':
      return ['The credentials of the kubeconfig are invalid or expired']
    case 'NotFound':
      // The message of an unknown path, unlike that of a missing object.
      if (message.includes('page not found'))
        return ['The server does not support this. Compare the versions:  hykube doctor']
      return details?.kind === 'plans' ? ['List the plans of all namespaces:  hykube history -A'] : []
    case 'AlreadyExists':
      return details?.kind === 'plans' ? ['Choose another name, or leave out --out to get a generated one'] : []
    case 'TooManyRequests':
      return ['The server is busy. Try again later']
    default:
      return []
  }
}
