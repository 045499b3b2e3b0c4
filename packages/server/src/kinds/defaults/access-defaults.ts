import { type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'

const rbac = 'rbac.authorization.k8s.io'

export function defaultBinding(object: Draft): void {
  if (has(object, 'roleRef')) fillText(ensure(object, 'roleRef'), 'apiGroup', rbac)
  for (const subject of items(object, 'subjects')) {
    if (subject.kind === 'User' || subject.kind === 'Group') fillText(subject, 'apiGroup', rbac)
  }
}

/** Defaults of both webhook configuration kinds. */
export function defaultWebhooks(object: Draft): void {
  for (const webhook of items(object, 'webhooks')) {
    fill(webhook, 'failurePolicy', 'Fail')
    fill(webhook, 'timeoutSeconds', 10)
    if (object.kind === 'MutatingWebhookConfiguration') fill(webhook, 'reinvocationPolicy', 'Never')
    defaultServicePort(inside(webhook, 'clientConfig'))
    defaultMatching(webhook, 'rules')
  }
}

/** Defaults of both admission policy kinds. */
export function defaultAdmissionPolicy(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'failurePolicy', 'Fail')
  if (has(spec, 'matchConstraints')) defaultMatching(ensure(spec, 'matchConstraints'), 'resourceRules')
}

export function defaultPolicyBinding(object: Draft): void {
  const spec = ensure(object, 'spec')
  if (has(spec, 'matchResources')) defaultMatching(ensure(spec, 'matchResources'), 'resourceRules')
}

export function defaultApiService(object: Draft): void {
  const spec = ensure(object, 'spec')
  if (has(spec, 'service')) fill(ensure(spec, 'service'), 'port', 443)
}

/** Defaults of a CustomResourceDefinition. */
export function defaultDefinition(object: Draft): void {
  const spec = ensure(object, 'spec')
  const names = ensure(spec, 'names')
  const kind = typeof names.kind === 'string' ? names.kind : ''
  fillText(names, 'singular', kind.toLowerCase())
  if (kind !== '') fillText(names, 'listKind', `${kind}List`)
  const conversion = ensure(spec, 'conversion')
  fillText(conversion, 'strategy', 'None')
  defaultServicePort(inside(conversion, 'webhook', 'clientConfig'))
}

export function defaultFlowSchema(object: Draft): void {
  const spec = ensure(object, 'spec')
  if (!spec.matchingPrecedence) spec.matchingPrecedence = 1000
}

export function defaultPriorityLevel(object: Draft): void {
  const spec = ensure(object, 'spec')
  if (spec.type === 'Exempt') {
    const exempt = ensure(spec, 'exempt')
    fill(exempt, 'nominalConcurrencyShares', 0)
    fill(exempt, 'lendablePercent', 0)
  }
  if (!has(spec, 'limited')) return
  const limited = ensure(spec, 'limited')
  fill(limited, 'nominalConcurrencyShares', 30)
  fill(limited, 'lendablePercent', 0)
  const response = inside(limited, 'limitResponse')
  if (!has(response, 'queuing')) return
  const queuing = ensure(response, 'queuing')
  for (const [field, value] of [
    ['queues', 64],
    ['handSize', 8],
    ['queueLengthLimit', 50],
  ] as const) {
    if (!queuing[field]) queuing[field] = value
  }
}

export function defaultTokenRequest(object: Draft): void {
  fill(ensure(object, 'spec'), 'expirationSeconds', 3600)
}

function defaultMatching(object: Draft, rules: string): void {
  fill(object, 'matchPolicy', 'Equivalent')
  ensure(object, 'namespaceSelector')
  ensure(object, 'objectSelector')
  for (const rule of items(object, rules)) fill(rule, 'scope', '*')
}

function defaultServicePort(client: Draft): void {
  if (has(client, 'service')) fill(ensure(client, 'service'), 'port', 443)
}
