import { isJsonObject, type JsonObject, type JsonValue, parseJsonText, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { inside, items } from '../draft.ts'

/**
 * Converts an autoscaler to autoscaling/v1. autoscaling/v1 has only the CPU target; everything else is kept in
 * annotations, as Kubernetes does it.
 */
export function autoscalerFromV2(object: KubernetesObject): KubernetesObject {
  const { spec: given, status: givenStatus, ...rest } = object as JsonObject
  const { metrics, behavior, ...spec } = isJsonObject(given) ? given : {}
  const { currentMetrics, conditions, ...status } = isJsonObject(givenStatus) ? givenStatus : {}
  const cpu = cpuMetric(items({ metrics: metrics ?? null }, 'metrics'))
  const others = items({ metrics: metrics ?? null }, 'metrics').filter((metric) => metric !== cpu)
  const target = inside(cpu ?? {}, 'resource', 'target').averageUtilization
  const annotations = {
    ...inside(rest, 'metadata', 'annotations'),
    ...(others.length > 0 && { [annotation.metrics]: stringifyJson(others) }),
    ...(behavior !== undefined && { [annotation.behavior]: stringifyJson(behavior) }),
    ...(conditions !== undefined && { [annotation.conditions]: stringifyJson(conditions) }),
    ...(currentMetrics !== undefined && { [annotation.currentMetrics]: stringifyJson(currentMetrics) }),
  }
  return {
    ...rest,
    apiVersion: 'autoscaling/v1',
    metadata: { ...inside(rest, 'metadata'), ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...spec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
    status: { currentReplicas: 0, desiredReplicas: 0, ...status },
  } as KubernetesObject
}

/** Converts an autoscaler to autoscaling/v2, the version in which both are stored. */
export function autoscalerToV2(object: KubernetesObject): KubernetesObject {
  const { metadata, spec: given, status: givenStatus, ...rest } = object as JsonObject
  const { targetCPUUtilizationPercentage: target, ...spec } = isJsonObject(given) ? given : {}
  const { annotations, kept } = splitAnnotations(inside({ metadata: metadata ?? {} }, 'metadata', 'annotations'))
  const { currentCPUUtilizationPercentage: _, ...status } = isJsonObject(givenStatus) ? givenStatus : {}
  const metrics = [
    ...(target === undefined ? [] : [cpuTarget(target)]),
    ...((kept.metrics as JsonValue[] | undefined) ?? []),
  ]
  return {
    ...rest,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(inside({ metadata: metadata ?? {} }, 'metadata'), annotations),
    spec: {
      ...spec,
      ...(metrics.length > 0 && { metrics }),
      ...(kept.behavior !== undefined && { behavior: kept.behavior }),
    },
    status: {
      ...status,
      ...(kept.conditions !== undefined && { conditions: kept.conditions }),
      currentMetrics: kept.currentMetrics ?? null,
    },
  } as KubernetesObject
}

const annotation = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
} as const

type Kept = { -readonly [name in keyof typeof annotation]?: JsonValue }

function cpuMetric(metrics: readonly JsonObject[]): JsonObject | undefined {
  return metrics.find(
    (metric) =>
      inside(metric, 'resource').name === 'cpu' && 'averageUtilization' in inside(metric, 'resource', 'target'),
  )
}

function cpuTarget(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

function splitAnnotations(all: JsonObject): { annotations: JsonObject; kept: Kept } {
  const annotations = { ...all }
  const kept: Kept = {}
  for (const [name, key] of Object.entries(annotation) as [keyof typeof annotation, string][]) {
    const text = annotations[key]
    const value = typeof text === 'string' ? parsed(text) : undefined
    if (value === undefined) continue
    kept[name] = value
    delete annotations[key]
  }
  return { annotations, kept }
}

// An annotation that is not valid JSON was written by a user and is kept as an annotation.
function parsed(text: string): JsonValue | undefined {
  try {
    return parseJsonText(text).value
  } catch {
    return undefined
  }
}

function withAnnotations(metadata: JsonObject, annotations: JsonObject): JsonObject {
  const { annotations: _, ...rest } = metadata
  return Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest
}
