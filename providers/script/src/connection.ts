/** SSH connection to a machine. */
export interface Connection {
  readonly host: string
  readonly user: string | null
  readonly port: number
  readonly private_key: string | null
  /** The only accepted host key, in the format of `known_hosts` without the name. */
  readonly host_key: string | null
}
