import { invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import type { Definition } from './definition.ts'

/** Whether a definition in one of Kubernetes' own groups was approved there, said in an annotation. */
export interface ApiApproval {
  readonly kind: 'missing' | 'invalid' | 'bypassed' | 'approved'
  readonly message: string
}

const annotation = 'api-approved.kubernetes.io'
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** The approval of a definition; undefined where none is needed. */
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

/** What is wrong with the approval of a definition; what was wrong before and stayed so is forgiven. */
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
