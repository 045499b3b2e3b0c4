import { kubernetesEnvironment } from './kubernetes-environment.ts'

/** The timestamp in a value of format date or date-time. */
export function timestampFromFormat(text: string): Date {
  return new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
}

/** The duration in a value of format duration, as expressions have it. */
export function durationFromFormat(text: string): unknown {
  parse ??= kubernetesEnvironment().registerVariable('text', 'string').parse('duration(text)')
  return parse({ text: text === '0' ? '0s' : text })
}

let parse: ((values: Record<string, unknown>) => unknown) | undefined
