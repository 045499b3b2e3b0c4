import { type Version, versionFromText } from '../../source/index.ts'

/** The parts of a package's file name: `terraform-provider-aws_5.62.0_linux_amd64.zip`. */
export interface PackageFileName {
  readonly type: string
  readonly version?: Version
  /** `linux_amd64` */
  readonly platform?: string
}

export const providerPrefix = 'terraform-provider-'

/** Parses the name of an archive or executable; undefined if it is not a provider's. */
export function parsePackageFileName(name: string): PackageFileName | undefined {
  const match =
    /^terraform-provider-([^_]+(?:_(?!v?\d)[^_]+)*?)(?:_v?(\d[^_]*))?(?:_([a-z0-9]+_[a-z0-9]+))?(?:\.zip|\.exe)?$/.exec(
      name,
    )
  if (match === null) return undefined
  const [, type, text, platform] = match
  const version = text === undefined ? undefined : versionFromText(text.replace(/_x\d+$/, ''))
  if (text !== undefined && version === undefined) return undefined
  return { type: type!, ...(version !== undefined && { version }), ...(platform !== undefined && { platform }) }
}
