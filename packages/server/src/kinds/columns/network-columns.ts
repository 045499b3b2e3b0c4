import type { JsonObject } from '@hykube/machinery/json'
import { inside, items } from '../draft.ts'
import { age, type Column, field, joined, selectorText, text, valueAt } from './column.ts'

/** Columns of services, endpoints, ingresses and policies. */
export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  Service: [
    field('Type', 'spec.type'),
    field('Cluster-IP', 'spec.clusterIP', '<none>'),
    text('External-IP', externalAddress),
    text('Port(s)', servicePorts),
    age,
    text('Selector', (service) => selectorText(inside(service, 'spec', 'selector')), true),
  ],
  Endpoints: [text('Endpoints', endpoints), age],
  EndpointSlice: [
    field('AddressType', 'addressType'),
    text('Ports', (slice) => portList(slice)),
    text('Endpoints', (slice) =>
      shortened(items(slice, 'endpoints').flatMap((each) => (each.addresses as string[] | undefined) ?? [])),
    ),
    age,
  ],
  Ingress: [
    text(
      'Class',
      (ingress) =>
        valueAt(ingress, 'spec.ingressClassName') ??
        inside(ingress, 'metadata', 'annotations')['kubernetes.io/ingress.class'] ??
        '<none>',
    ),
    text('Hosts', (ingress) => {
      const hosts = items(ingress, 'spec', 'rules').map((rule) => String(rule.host || '*'))
      return hosts.length === 0 ? '*' : shortened(hosts)
    }),
    text('Address', (ingress) => balancers(ingress).join(',')),
    text('Ports', (ingress) => (items(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  IngressClass: [
    field('Controller', 'spec.controller'),
    text('Parameters', (object) => {
      const parameters = inside(object, 'spec', 'parameters')
      if (parameters.kind === undefined) return '<none>'
      const group = parameters.apiGroup
      return `${String(parameters.kind)}${group ? `.${String(group)}` : ''}/${String(parameters.name)}`
    }),
    age,
  ],
  NetworkPolicy: [text('Pod-Selector', (policy) => selectorText(inside(policy, 'spec', 'podSelector'))), age],
  IPAddress: [
    text('ParentRef', (object) => {
      const parent = inside(object, 'spec', 'parentRef')
      return [parent.resource, parent.namespace, parent.name].filter(Boolean).join('/')
    }),
    age,
  ],
  ServiceCIDR: [text('CIDRs', (object) => joined((valueAt(object, 'spec.cidrs') as string[] | undefined) ?? [])), age],
}

function externalAddress(service: JsonObject): string {
  const spec = inside(service, 'spec')
  const own = (spec.externalIPs as string[] | undefined) ?? []
  if (spec.type === 'ExternalName') return String(spec.externalName ?? '')
  if (spec.type !== 'LoadBalancer') return joined(own)
  const all = [...balancers(service), ...own]
  return all.length === 0 ? '<pending>' : all.join(',')
}

function balancers(object: JsonObject): string[] {
  return items(object, 'status', 'loadBalancer', 'ingress').map((each) => String(each.ip ?? each.hostname ?? ''))
}

function servicePorts(service: JsonObject): string {
  return joined(
    items(service, 'spec', 'ports').map((port) => {
      const node = port.nodePort ? `:${String(port.nodePort)}` : ''
      return `${String(port.port)}${node}/${String(port.protocol)}`
    }),
  )
}

function endpoints(object: JsonObject): string {
  const all = items(object, 'subsets').flatMap((subset) => {
    const addresses = items(subset, 'addresses').map((address) => String(address.ip))
    const ports = items(subset, 'ports').map((port) => String(port.port))
    return ports.length === 0 ? addresses : addresses.flatMap((address) => ports.map((port) => `${address}:${port}`))
  })
  return shortened(all)
}

function portList(slice: JsonObject): string {
  const ports = items(slice, 'ports').map((port) => String(port.port ?? '*'))
  return ports.length === 0 ? '<unset>' : shortened(ports)
}

// A cell shows three entries and the number of the others.
function shortened(list: readonly string[]): string {
  if (list.length === 0) return '<none>'
  return list.length <= 3 ? list.join(',') : `${list.slice(0, 3).join(',')} + ${list.length - 3} more...`
}
