import { copyJson, type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'

/** Defaults that apply to pods and pod templates alike. */
export function defaultPodSpec(spec: Draft): void {
  fillText(spec, 'restartPolicy', 'Always')
  fillText(spec, 'dnsPolicy', 'ClusterFirst')
  fillText(spec, 'schedulerName', 'default-scheduler')
  fill(spec, 'terminationGracePeriodSeconds', 30)
  ensure(spec, 'securityContext')
  mirrorServiceAccount(spec)
  for (const volume of items(spec, 'volumes')) defaultVolume(volume)
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of items(spec, list)) defaultContainer(container, spec)
  }
}

/** Defaults that apply to pods only. */
export function defaultPod(pod: Draft): void {
  const spec = ensure(pod, 'spec')
  fill(spec, 'enableServiceLinks', true)
  defaultPodSpec(spec)
  for (const list of ['initContainers', 'containers']) {
    for (const container of items(spec, list)) requestLimits(container)
  }
}

/** Defaults of the pod template in an object's spec. */
export function defaultTemplate(owner: Draft): void {
  const template = inside(owner, 'template')
  if (has(template, 'spec')) defaultPodSpec(ensure(template, 'spec'))
}

// The deprecated field serviceAccount always mirrors serviceAccountName.
function mirrorServiceAccount(spec: Draft): void {
  const account = spec.serviceAccountName || spec.serviceAccount
  if (typeof account !== 'string' || account === '') return
  spec.serviceAccountName = account
  spec.serviceAccount = account
}

function defaultContainer(container: Draft, spec: Draft): void {
  fillText(container, 'terminationMessagePath', '/dev/termination-log')
  fillText(container, 'terminationMessagePolicy', 'File')
  fillText(container, 'imagePullPolicy', pullPolicy(container.image))
  ensure(container, 'resources')
  for (const port of items(container, 'ports')) {
    fillText(port, 'protocol', 'TCP')
    if (spec.hostNetwork === true && !port.hostPort) port.hostPort = port.containerPort ?? 0
  }
  for (const env of items(container, 'env')) defaultFieldRef(inside(env, 'valueFrom'))
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (has(container, probe)) defaultProbe(ensure(container, probe))
  }
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(inside(container, 'lifecycle', hook))
}

function pullPolicy(image: unknown): string {
  const name = typeof image === 'string' ? image : ''
  const withoutDigest = name.split('@')[0]!
  const tag = /:([^/:]+)$/.exec(withoutDigest)?.[1]
  if (tag === undefined) return name.includes('@') ? 'IfNotPresent' : 'Always'
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function defaultProbe(probe: Draft): void {
  for (const [field, value] of [
    ['timeoutSeconds', 1],
    ['periodSeconds', 10],
    ['successThreshold', 1],
    ['failureThreshold', 3],
  ] as const) {
    if (!probe[field]) probe[field] = value
  }
  defaultHttpGet(probe)
  if (has(probe, 'grpc')) fill(ensure(probe, 'grpc'), 'service', '')
}

function defaultHttpGet(handler: Draft): void {
  if (!has(handler, 'httpGet')) return
  const get = ensure(handler, 'httpGet')
  fillText(get, 'path', '/')
  fillText(get, 'scheme', 'HTTP')
}

function defaultFieldRef(source: Draft): void {
  if (has(source, 'fieldRef')) fillText(ensure(source, 'fieldRef'), 'apiVersion', 'v1')
}

function defaultVolume(volume: Draft): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {}
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    if (has(volume, source)) fill(ensure(volume, source), 'defaultMode', 420)
  }
  for (const item of items(volume, 'downwardAPI', 'items')) defaultFieldRef(item)
  for (const source of items(volume, 'projected', 'sources')) {
    for (const item of items(source, 'downwardAPI', 'items')) defaultFieldRef(item)
    if (has(source, 'serviceAccountToken')) fill(ensure(source, 'serviceAccountToken'), 'expirationSeconds', 3600)
  }
  if (has(volume, 'hostPath')) fill(ensure(volume, 'hostPath'), 'type', '')
  const claim = inside(volume, 'ephemeral', 'volumeClaimTemplate')
  if (has(claim, 'spec')) fill(ensure(claim, 'spec'), 'volumeMode', 'Filesystem')
}

// A container with a limit but no request for a resource requests the limit.
function requestLimits(container: Draft): void {
  const resources = ensure(container, 'resources')
  if (!has(resources, 'limits')) return
  const requests = ensure(resources, 'requests')
  for (const [name, amount] of Object.entries(inside(resources, 'limits'))) fill(requests, name, copyJson(amount))
}
