import { forbiddenValue, invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { parseProviderSource, parseVersionConstraint, SourceError } from '../source/index.ts'

/** The fields of a Provider's spec that locate its package. */
export interface ProviderSource {
  /** `[host/]namespace/type`. */
  readonly source?: string
  readonly downloadUrl?: string
  readonly downloadName?: string
  /** A version constraint in Terraform's syntax. */
  readonly version?: string
}

/** Validates the fields that locate a package. */
export function sourceProblems({ source, downloadUrl, downloadName, version }: ProviderSource): StatusCause[] {
  const causes: StatusCause[] = []
  if (source === undefined && downloadUrl === undefined && downloadName === undefined)
    causes.push(requiredValue('spec.source', 'source, downloadUrl or downloadName must be set'))
  if (source !== undefined && downloadUrl !== undefined)
    causes.push(forbiddenValue('spec.downloadUrl', 'may not be specified when `source` is'))
  if (source !== undefined && downloadName !== undefined)
    causes.push(forbiddenValue('spec.downloadName', 'may not be specified when `source` is'))
  if (source !== undefined)
    causes.push(...problemsOf('spec.source', source, () => parseProviderSource(source, { defaultHost })))
  if (downloadUrl !== undefined && !isDownloadable(downloadUrl))
    causes.push(invalidValue('spec.downloadUrl', downloadUrl, 'must be an http, https or file URL'))
  if (version !== undefined) causes.push(...problemsOf('spec.version', version, () => parseVersionConstraint(version)))
  return causes
}

/** Returns whether a Provider is the built-in hykube/script, which runs commands; any host and field is recognized. */
export function runsScripts({ source = '', downloadName = '' }: ProviderSource): boolean {
  return [source, downloadName].some((text) => /(^|\/)hykube\/script$/i.test(text.trim()))
}

// Used for parsing only; the result is dropped.
const defaultHost = 'registry.terraform.io'

function problemsOf(field: string, value: string, parse: () => unknown): StatusCause[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof SourceError) return [invalidValue(field, value, error.message)]
    throw error
  }
}

function isDownloadable(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:', 'file:'].includes(new URL(url).protocol)
}
