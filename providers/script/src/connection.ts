/** How another machine is reached. */
export interface Connection {
  readonly host: string
  readonly user: string | null
  readonly port: number
  readonly private_key: string | null
  /** The only key that the machine is believed by, as in `known_hosts` without the name. */
  readonly host_key: string | null
}
