import { forbiddenValue, invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'

/** Where a Provider's package comes from, as its spec says. */
export interface ProviderSource {
  /** `[host/]namespace/type`. */
  readonly source?: string
  readonly downloadUrl?: string
  readonly downloadName?: string
  /** A constraint as Terraform writes it. */
  readonly version?: string
}

/** What is wrong with where a package shall come from. */
export function sourceProblems({ source, downloadUrl, downloadName, version }: ProviderSource): StatusCause[] {
  const causes: StatusCause[] = []
  if (source === undefined && downloadUrl === undefined)
    causes.push(requiredValue('spec.source', 'either source or downloadUrl says where the provider comes from'))
  if (source !== undefined && downloadUrl !== undefined)
    causes.push(forbiddenValue('spec.downloadUrl', 'may not be specified when `source` is'))
  if (source !== undefined && !sourcePattern.test(source))
    causes.push(invalidValue('spec.source', source, 'must be [host/]namespace/type, as hashicorp/aws'))
  if (downloadUrl !== undefined && !isDownloadable(downloadUrl))
    causes.push(invalidValue('spec.downloadUrl', downloadUrl, 'must be an http, https or file URL'))
  if (downloadName !== undefined && downloadUrl === undefined)
    causes.push(forbiddenValue('spec.downloadName', 'may only be specified together with `downloadUrl`'))
  if (version !== undefined && !version.split(',').every((part) => constraintPattern.test(part.trim())))
    causes.push(invalidValue('spec.version', version, 'must be a version constraint, as "~> 5.62" or ">= 1.0, < 2.0"'))
  return causes
}

const part = '[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?'
const sourcePattern = new RegExp(`^(?:[0-9A-Za-z.-]+(?::\\d+)?/)?${part}/${part}$`)
const constraintPattern = /^(?:=|!=|>=|<=|>|<|~>)?\s*v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

function isDownloadable(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:', 'file:'].includes(new URL(url).protocol)
}
