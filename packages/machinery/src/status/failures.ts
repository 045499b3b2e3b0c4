// Constructors for the failures of API requests. The messages are kube-apiserver's: clients and tests compare them.

import type { Reason } from './reason.ts'
import { type StatusCause, StatusError } from './status-error.ts'

/** A resource as it is named in messages, `deployments.apps` or `secrets`: the plural and its group. */
export interface ResourceName {
  readonly group: string
  readonly resource: string
}

/** `pods "web" not found` */
export function notFound(of: ResourceName, name: string): StatusError {
  return about('NotFound', of, name, `${qualified(of)} ${quote(name)} not found`)
}

/** `pods "web" already exists` */
export function alreadyExists(of: ResourceName, name: string): StatusError {
  return about('AlreadyExists', of, name, `${qualified(of)} ${quote(name)} already exists`)
}

/** `Operation cannot be fulfilled on pods "web": <why>` */
export function conflict(of: ResourceName, name: string, why: string): StatusError {
  return about('Conflict', of, name, `Operation cannot be fulfilled on ${qualified(of)} ${quote(name)}: ${why}`)
}

/** The conflict for an update whose resourceVersion is not the current one; clients read the object again and retry. */
export function modified(of: ResourceName, name: string): StatusError {
  return conflict(
    of,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** `pods "web" is forbidden: <why>` */
export function forbidden(of: ResourceName, name: string, why: string): StatusError {
  const subject =
    of.resource === '' ? 'forbidden' : `${qualified(of)}${name === '' ? '' : ` ${quote(name)}`} is forbidden`
  return about('Forbidden', of, name, `${subject}: ${why}`)
}

/** `Deployment.apps "web" is invalid: <all causes>`; several causes are listed in brackets, of very many only the first. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  all: readonly StatusCause[],
): StatusError {
  const causes = all.slice(0, maximumCauses)
  const messages = causes.map((cause) =>
    cause.field === undefined ? cause.message : `${cause.field}: ${cause.message}`,
  )
  if (all.length > causes.length) messages.push(`and ${all.length - causes.length} more`)
  const list = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  return new StatusError('Invalid', `${subject} ${quote(name)} is invalid: ${list ?? ''}`, {
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      causes,
    },
  })
}

/** A list of a body can have a cause for each of its values; a Status of them all would be larger than a string can be. */
const maximumCauses = 100

export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message)
}

/** The requested revision was compacted (410): the client has to list again. */
export function expired(message: string): StatusError {
  return new StatusError('Expired', message)
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError('TooManyRequests', message, { details: { retryAfterSeconds } })
}

function about(reason: Reason, of: ResourceName, name: string, message: string): StatusError {
  const details = {
    ...(name === '' ? {} : { name }),
    ...(of.group === '' ? {} : { group: of.group }),
    ...(of.resource === '' ? {} : { kind: of.resource }),
  }
  return new StatusError(reason, message, { details })
}

function qualified({ group, resource }: ResourceName): string {
  return group === '' ? resource : `${resource}.${group}`
}

// Quotes like Go's %q. JSON's quoting is identical for the characters that names contain.
function quote(name: string): string {
  return JSON.stringify(name)
}
