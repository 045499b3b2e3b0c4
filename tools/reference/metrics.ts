import { generated, table } from './table.ts'

/** Builds the page of all metrics from the server's /metrics response. */
export function metricsPage(answer: string): string {
  const types = new Map([...answer.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
  const rows = [...answer.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name, help]) => [
    `\`${name}\``,
    types.get(name!) ?? '',
    help!,
  ])
  return [
    '# Metrics',
    generated,
    '`GET /metrics`, in the text form of Prometheus; `kubectl get --raw /metrics` shows it. Reading it needs `get` on the path `/metrics`.',
    table(['metric', 'type', 'what it is'], rows),
  ].join('\n\n')
}
