import type { KubernetesObject } from '@hykube/machinery/object'

/** Converts a stored core/v1 Event to events.k8s.io/v1. */
export function eventFromCore(event: KubernetesObject): KubernetesObject {
  const { involvedObject, message, reportingComponent, reportingInstance, source, count, ...rest } = event
  const { firstTimestamp, lastTimestamp, ...common } = rest
  return {
    ...common,
    apiVersion: 'events.k8s.io/v1',
    ...(rest.eventTime === undefined && { eventTime: null }),
    regarding: involvedObject ?? {},
    ...given('note', message),
    ...given('reportingController', reportingComponent),
    ...given('reportingInstance', reportingInstance),
    deprecatedSource: source ?? {},
    deprecatedFirstTimestamp: firstTimestamp ?? null,
    deprecatedLastTimestamp: lastTimestamp ?? null,
    ...given('deprecatedCount', count),
  }
}

/** Converts an events.k8s.io/v1 Event to core/v1, the version in which both are stored. */
export function eventToCore(event: KubernetesObject): KubernetesObject {
  const { regarding, note, reportingController, reportingInstance, ...rest } = event
  const { deprecatedSource, deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, ...common } = rest
  return {
    ...common,
    apiVersion: 'v1',
    involvedObject: regarding ?? {},
    ...given('message', note),
    reportingComponent: reportingController ?? '',
    reportingInstance: reportingInstance ?? '',
    source: deprecatedSource ?? {},
    firstTimestamp: deprecatedFirstTimestamp ?? null,
    lastTimestamp: deprecatedLastTimestamp ?? null,
    ...given('count', deprecatedCount),
  }
}

function given(field: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === '' || value === 0 ? {} : { [field]: value }
}
