import type { AnswerFacts } from '../http/index.ts'
import type { Statistics } from '../storage/index.ts'

/**
 * The server's metrics in Prometheus' text format, with Kubernetes' names where they exist. Label values come from closed sets, because
 * clients choose methods and paths, and each new label value would take memory permanently.
 */
export class Metrics {
  readonly #routes = new Map<string, Map<string, Route>>()
  readonly #others: { readonly lines: readonly string[] }
  #count = 0

  /** `others` gives the lines of another part of the server. */
  constructor(others: { readonly lines: readonly string[] } = { lines: [] }) {
    this.#others = others
  }

  /** Counts an answer. Called for every request, so it allocates only for the first one of a route. */
  answered({ verb, resource, status, milliseconds }: CountedFacts): void {
    this.#route(verbLabels.get(verb) ?? 'OTHER', resource).count(status, milliseconds)
  }

  #route(verb: string, resource: string): Route {
    let routes = this.#routes.get(verb)
    if (routes === undefined) {
      routes = new Map()
      this.#routes.set(verb, routes)
    }
    const known = routes.get(resource)
    if (known !== undefined) return known
    // Bounded, because definitions and providers add any number of resources.
    if (this.#count >= maximumRoutes && resource !== 'other') return this.#route(verb, 'other')
    const route = new Route(verb, resource)
    routes.set(resource, route)
    this.#count++
    return route
  }

  /** Formats all metrics, with those of the store and the process, and those of other parts. */
  text(store: Statistics, load: { readonly taken: number; readonly waiting: number }): string {
    const { heapUsed, rss } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const routes = [...this.#routes.values()].flatMap((byResource) => [...byResource.values()])
    return [
      '# HELP apiserver_request_total Requests answered, by verb, resource and code.',
      '# TYPE apiserver_request_total counter',
      ...routes.flatMap((route) => route.totals()),
      '# HELP apiserver_request_duration_seconds Time until the first byte of the answer.',
      '# TYPE apiserver_request_duration_seconds histogram',
      ...routes.flatMap((route) => route.durations()),
      ...gauge('apiserver_current_inflight_requests', 'Requests in flight.', load.taken),
      ...gauge('apiserver_current_inqueue_requests', 'Requests waiting in a queue.', load.waiting),
      ...gauge('hykube_store_revision', 'The last revision of the store.', store.now),
      ...gauge('hykube_store_compacted_revision', 'The revision below which history was compacted.', store.compacted),
      ...gauge('hykube_store_keys', 'Keys in the store.', store.keys),
      ...gauge('hykube_store_bytes', 'Size of the store in bytes.', store.bytes),
      ...gauge('hykube_store_followers', 'Followers of the log.', store.followers),
      ...this.#others.lines,
      ...gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      ...gauge('process_heap_bytes', 'Heap in use.', heapUsed),
      ...gauge('process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6),
      '',
    ].join('\n')
  }
}

type CountedFacts = Pick<AnswerFacts, 'verb' | 'resource' | 'status' | 'milliseconds'>

// Keeps the text below a megabyte, even with the longest names.
const maximumRoutes = 250

/** The labels of API verbs, and of HTTP methods for non-resource paths and unauthenticated requests. */
const verbLabels: ReadonlyMap<string, string> = new Map(
  [
    'get',
    'list',
    'watch',
    'create',
    'update',
    'patch',
    'delete',
    'deletecollection',
    'connect',
    'head',
    'post',
    'put',
    'options',
  ].flatMap((verb) => [
    [verb, verb.toUpperCase()],
    [verb.toUpperCase(), verb.toUpperCase()],
  ]),
)

/** The counters of one verb on one resource. */
class Route {
  readonly #labels: string
  readonly #codes = new Map<number, number>()
  readonly #durations = new Histogram()

  constructor(verb: string, resource: string) {
    this.#labels = `verb="${verb}",resource="${resource}"`
  }

  count(status: number, milliseconds: number): void {
    this.#codes.set(status, (this.#codes.get(status) ?? 0) + 1)
    this.#durations.observe(milliseconds / 1000)
  }

  totals(): string[] {
    return [...this.#codes].map(([code, count]) => `apiserver_request_total{${this.#labels},code="${code}"} ${count}`)
  }

  durations(): string[] {
    return this.#durations.lines('apiserver_request_duration_seconds', this.#labels)
  }
}

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

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
}
