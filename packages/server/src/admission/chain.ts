import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { UserInfo } from '../auth/index.ts'
import type { ObjectChange } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'

/** A write as admission plugins see it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly cluster: string
  readonly type: ResourceType
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Object to be stored; undefined for DELETE. */
  readonly object: KubernetesObject | undefined
  /** Stored object; undefined for CREATE. */
  readonly old: KubernetesObject | undefined
  readonly user: UserInfo
  /** True when nothing will be stored: plugins must have no side effects. */
  readonly dryRun: boolean
  /** Adds a warning to the response. */
  readonly warn: (warning: string) => void
  /** Adds changes to the commit that stores the object. Absent for a dry run. */
  readonly addToCommit?: (addition: CommitAddition) => void
}

/**
 * Changes that are committed together with the object. When one of their preconditions fails, the write is admitted
 * again.
 */
export interface CommitAddition {
  readonly changes: readonly ObjectChange[]
  /** Additional operations beside objects. Default: none. */
  readonly operations?: readonly Operation[]
  /** Called once, after the commit succeeded, failed or was abandoned. */
  readonly settled: () => void
}

/** A step that may change or reject a write. It rejects by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string
  /** True for requests that the plugin handles. Cheap: called for every write. Default: all. */
  readonly handles?: (request: AdmissionRequest) => boolean
  /** Returns the changed object. Runs before validation. */
  readonly mutate?: (request: AdmissionRequest) => KubernetesObject | Promise<KubernetesObject>
  /** Runs a second time when a later plugin changed the object. Default false. */
  readonly reinvoke?: boolean
  /** Runs after validation, on the object to be stored. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>
}

/** Plugins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  /** Returns the chain with one more plugin at its end. */
  with(plugin: AdmissionPlugin): AdmissionChain {
    return new AdmissionChain([...this.#plugins, plugin])
  }

  /** Runs the mutating plugins; those with `reinvoke` run again when a later one changed the object. */
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
