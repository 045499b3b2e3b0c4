import { type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'

export function defaultService(object: Draft): void {
  const spec = ensure(object, 'spec')
  fillText(spec, 'sessionAffinity', 'None')
  fillText(spec, 'type', 'ClusterIP')
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP') {
    fill(ensure(ensure(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', 10800)
  }
  for (const port of items(spec, 'ports')) {
    fillText(port, 'protocol', 'TCP')
    if (!port.targetPort) port.targetPort = port.port ?? 0
  }
  const { type } = spec
  if (type === 'NodePort' || type === 'LoadBalancer') fillText(spec, 'externalTrafficPolicy', 'Cluster')
  if (type !== 'ExternalName') fill(spec, 'internalTrafficPolicy', 'Cluster')
  if (type === 'LoadBalancer') fill(spec, 'allocateLoadBalancerNodePorts', true)
}

export function defaultEndpoints(object: Draft): void {
  for (const subset of items(object, 'subsets')) {
    for (const port of items(subset, 'ports')) fillText(port, 'protocol', 'TCP')
  }
}

export function defaultEndpointSlice(object: Draft): void {
  for (const port of items(object, 'ports')) {
    fill(port, 'name', '')
    fill(port, 'protocol', 'TCP')
  }
}

export function defaultNetworkPolicy(object: Draft): void {
  const spec = ensure(object, 'spec')
  if (!Array.isArray(spec.policyTypes) || spec.policyTypes.length === 0) {
    spec.policyTypes = items(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  }
  for (const rule of [...items(spec, 'ingress'), ...items(spec, 'egress')]) {
    for (const port of items(rule, 'ports')) fill(port, 'protocol', 'TCP')
  }
}

export function defaultIngressClass(object: Draft): void {
  const spec = inside(object, 'spec')
  if (has(spec, 'parameters')) fill(ensure(spec, 'parameters'), 'scope', 'Cluster')
}
