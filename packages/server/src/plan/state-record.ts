/** What a provider said of one instance, as it is kept: encrypted, and never shown as it is. */
export interface StateRecord {
  /** Of the object that it belongs to. State outlives an object that somebody forced away. */
  readonly uid: string
  /** The provider's name for the type, as `sim_network`. */
  readonly type: string
  /** Which configuration of the provider it was made with. */
  readonly configuration: string
  /** The hash of the provider package that wrote it. */
  readonly package: string
  readonly schemaVersion: number
  readonly status: 'ready' | 'tainted'
  /** The provider's object as Terraform's state files have it: JSON text, with every digit of numbers. */
  readonly attributes: string
  /** The provider's private bytes, in base64. */
  readonly private?: string
  readonly identity?: { readonly version: number; readonly json: string }
  /** Paths that are sensitive because of what was put there, besides those that the schema names. */
  readonly sensitive?: readonly string[]
  /** What it was made from, as nodes: it is destroyed before they are. */
  readonly dependencies: readonly string[]
  readonly createBeforeDestroy?: true
  readonly preventDestroy?: true
  /** Forget it instead of destroying it. */
  readonly keep?: true
  /** What it was last settled with: the same again needs no planning. */
  readonly fingerprint: string
}
