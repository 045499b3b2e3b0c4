import type { AnswerFacts } from '../http/index.ts'
import type { Statistics } from '../storage/index.ts'

/** What the server counts of itself, in Prometheus' text form under Kubernetes' names where there are any. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Histogram>()

  /** Counts an answer. Called for every request: no allocation but for the first of its kind. */
  answered({ verb, resource: asked, status, milliseconds }: AnswerFacts): void {
    // Clients can ask for resources that do not exist, without end.
    const resource = this.#requests.size < maximumSeries && /^[a-z0-9.-]*$/.test(asked) ? asked : 'other'
    const labels = `verb="${verb.toUpperCase()}",resource="${resource}",code="${status}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
    const route = `verb="${verb.toUpperCase()}",resource="${resource}"`
    let histogram = this.#durations.get(route)
    if (histogram === undefined) {
      histogram = new Histogram()
      this.#durations.set(route, histogram)
    }
    histogram.observe(milliseconds / 1000)
  }

  /** Everything counted, with the figures of the store and of the process. */
  text(store: Statistics, load: { readonly taken: number; readonly waiting: number }): string {
    const { heapUsed, rss } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return [
      ...counter('apiserver_request_total', 'Requests answered, by verb, resource and code.', this.#requests),
      '# HELP apiserver_request_duration_seconds How long requests took until their answer began.',
      '# TYPE apiserver_request_duration_seconds histogram',
      ...[...this.#durations].flatMap(([labels, histogram]) =>
        histogram.lines('apiserver_request_duration_seconds', labels),
      ),
      ...gauge('apiserver_current_inflight_requests', 'Requests being worked on.', load.taken),
      ...gauge('apiserver_current_inqueue_requests', 'Requests that wait for a seat.', load.waiting),
      ...gauge('hykube_store_revision', 'The last revision of the store.', store.now),
      ...gauge('hykube_store_compacted_revision', 'The revision below which the past is forgotten.', store.compacted),
      ...gauge('hykube_store_keys', 'Keys in the store.', store.keys),
      ...gauge('hykube_store_bytes', 'Bytes the store takes.', store.bytes),
      ...gauge('hykube_store_followers', 'Followers of the log.', store.followers),
      ...gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      ...gauge('process_heap_bytes', 'Heap in use.', heapUsed),
      ...gauge('process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
      '',
    ].join('\n')
  }
}

const maximumSeries = 5000

const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

class Histogram {
  readonly #buckets = new Float64Array(bounds.length + 1)
  #sum = 0
  #count = 0

  observe(seconds: number): void {
    const at = bounds.findIndex((bound) => seconds <= bound)
    this.#buckets[at < 0 ? bounds.length : at]!++
    this.#sum += seconds
    this.#count++
  }

  lines(name: string, labels: string): string[] {
    let cumulated = 0
    const buckets = bounds.map((bound, at) => {
      cumulated += this.#buckets[at]!
      return `${name}_bucket{${labels},le="${bound}"} ${cumulated}`
    })
    const infinite = `${name}_bucket{${labels},le="+Inf"} ${this.#count}`
    return [...buckets, infinite, `${name}_sum{${labels}} ${this.#sum}`, `${name}_count{${labels}} ${this.#count}`]
  }
}

function counter(name: string, help: string, values: ReadonlyMap<string, number>): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...[...values].map(([labels, value]) => `${name}{${labels}} ${value}`),
  ]
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
}
