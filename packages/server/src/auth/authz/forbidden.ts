import { forbidden, type StatusError } from '@hykube/machinery/status'
import { quote } from '../go-format.ts'
import type { Attributes } from './attributes.ts'

/** The 403 of a refused request, in kube-apiserver's words. */
export function forbiddenError(attributes: Attributes, reason = ''): StatusError {
  const message = withoutMarkup(forbiddenMessage(attributes))
  const of = { group: attributes.apiGroup, resource: attributes.resource }
  return forbidden(of, attributes.name, reason === '' ? message : `${message}: ${reason}`)
}

/** `User "u" cannot list resource "pods" in API group "" in the namespace "n"` */
export function forbiddenMessage(attributes: Attributes): string {
  const { user, verb, path, isResourceRequest, resource, subresource, apiGroup, namespace } = attributes
  const subject = `User ${quote(user.name)} cannot ${verb}`
  if (!isResourceRequest) return `${subject} path ${quote(path)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  return `${subject} resource ${quote(what)} in API group ${quote(apiGroup)} ${where}`
}

// A path is the caller's own text; a browser that takes the answer for a page must find no markup in it.
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
