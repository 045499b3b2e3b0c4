import { invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import type { Definition } from './definition.ts'

/** Approval of a definition in a group of the Kubernetes project (*.k8s.io), as stated in its annotation. */
export interface ApiApproval {
  readonly kind: 'missing' | 'invalid' | 'bypassed' | 'approved'
  readonly message: string
}

const annotation = 'api-approved.kubernetes.io'
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** Returns the approval of a definition; undefined for groups that need none. */
export function apiApprovalOf({ spec, metadata }: Definition): ApiApproval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group ?? '')) return undefined
  const text = metadata?.annotations?.[annotation] ?? ''
  if (text === '') {
    return { kind: 'missing', message: `protected groups must have approval annotation "${annotation}", ${reference}` }
  }
  if (text.startsWith('unapproved')) return { kind: 'bypassed', message: `not approved: ${JSON.stringify(text)}` }
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(text)) return { kind: 'approved', message: `approved in ${text}` }
  const message = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", ${reference}`
  return { kind: 'invalid', message }
}

/** Checks the approval annotation. A problem that the old definition already had is not reported again. */
export function validateApiApproval(definition: Definition, old: Definition | undefined): StatusCause[] {
  const approval = apiApprovalOf(definition)
  if (approval === undefined || (old !== undefined && apiApprovalOf(old)?.kind === approval.kind)) return []
  const field = `metadata.annotations[${annotation}]`
  if (approval.kind === 'missing') return [requiredValue(field, approval.message)]
  if (approval.kind === 'invalid') {
    return [invalidValue(field, definition.metadata?.annotations?.[annotation], approval.message)]
  }
  return []
}
