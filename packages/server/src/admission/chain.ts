import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { ObjectChange } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'

/** What is about to happen, as admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly cluster: string
  readonly type: ResourceType
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** What shall be stored; undefined for DELETE. */
  readonly object: KubernetesObject | undefined
  /** What is stored; undefined for CREATE. */
  readonly old: KubernetesObject | undefined
  readonly user: AdmissionUser
  /** Nothing will be stored: a plugin with side effects outside refuses or holds still. */
  readonly dryRun: boolean
  /** Tells the client something without refusing. */
  readonly warn: (warning: string) => void
  /** Takes changes into the commit that stores the object. Absent where nothing will be stored. */
  readonly ride?: (rider: CommitRider) => void
}

/** Changes that happen together with the object or not at all. When one of them is refused, everything is admitted anew. */
export interface CommitRider {
  readonly changes: readonly ObjectChange[]
  /** Further writes besides objects. Default: none. */
  readonly operations?: readonly Operation[]
  /** Called once, when the commit was made, refused or given up. */
  readonly settled: () => void
}

/** Who asks. */
export interface AdmissionUser {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A step that may change or refuse what is about to happen. It refuses by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string
  /** Whether it wants to know of a request at all. Cheap: asked for every write. Default: always. */
  readonly handles?: (request: AdmissionRequest) => boolean
  /** Returns the object to go on with. Runs before validation. */
  readonly mutate?: (request: AdmissionRequest) => KubernetesObject | Promise<KubernetesObject>
  /** Whether it is asked a second time when a later plugin has changed the object. Default false. */
  readonly reinvoke?: boolean
  /** Runs after validation, on what will be stored. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>
}

/** Plugins in the order they are asked. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  /** The same chain with one more plugin at its end, for requests that bring something along. */
  with(plugin: AdmissionPlugin): AdmissionChain {
    return new AdmissionChain([...this.#plugins, plugin])
  }

  /** The object after every plugin that changes objects has seen it; those that want it are asked once more at the end. */
  async mutate(request: AdmissionRequest): Promise<KubernetesObject | undefined> {
    let { object } = request
    const seen = new Map<AdmissionPlugin, KubernetesObject | undefined>()
    for (const plugin of this.#mutating(request)) {
      object = (await plugin.mutate?.({ ...request, object })) ?? object
      seen.set(plugin, object)
    }
    for (const [plugin, gave] of seen)
      if (plugin.reinvoke && gave !== object) object = (await plugin.mutate?.({ ...request, object })) ?? object
    return object
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins)
      if (plugin.validate !== undefined && (plugin.handles?.(request) ?? true)) await plugin.validate(request)
  }

  #mutating(request: AdmissionRequest): AdmissionPlugin[] {
    return this.#plugins.filter((plugin) => plugin.mutate !== undefined && (plugin.handles?.(request) ?? true))
  }
}
