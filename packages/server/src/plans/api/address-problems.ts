import { parseAddress } from '@hykube/machinery/object'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import type { StatusCause } from '@hykube/machinery/status'
import type { KindCatalogue } from '../../model/index.ts'

/** Returns errors for addresses of a plan whose type no provider has, or several providers have. */
export function addressProblems(spec: PlanSpec, cluster: string, kinds: KindCatalogue): StatusCause[] {
  return (['targets', 'excludes', 'replace'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap((text, index) => {
      const problem = typeProblem(text, cluster, kinds)
      return problem === undefined
        ? []
        : [{ reason: 'FieldValueInvalid', field: `spec.${field}[${index}]`, message: `Invalid value: ${problem}` }]
    }),
  )
}

function typeProblem(text: string, cluster: string, kinds: KindCatalogue): string | undefined {
  const address = parseAddress(text)
  const kind = kinds.find(cluster, '', address)
  const shown = JSON.stringify(text)
  if (kind === 'ambiguous') return `${shown}: several providers have this type: write provider["NAME"].${text}`
  if (kind !== undefined) return undefined
  const { provider, data, type } = address
  const whose = provider === undefined ? 'no provider has' : `the provider ${JSON.stringify(provider)} does not have`
  return `${shown}: ${whose} ${data ? 'a data source' : 'a type'} ${type}`
}
