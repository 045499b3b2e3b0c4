import { forbidden, type StatusError } from '@hykube/machinery/status'
import { quote } from '../go-format.ts'
import type { Attributes } from './attributes.ts'

/** 403 for a denied request, with kube-apiserver's message. */
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

// The path is the client's text; it must not become markup in a browser.
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
