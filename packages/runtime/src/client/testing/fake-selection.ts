import { type LabelSelector, labelSelectorFromText } from '@hykube/machinery/selector'
import { badRequest } from '@hykube/machinery/status'

/** The selectors of a list or watch. */
export interface FakeSelection {
  readonly labels: LabelSelector
  readonly name: string | undefined
}

/** Parses the selectors of a query. The only supported field selector is `metadata.name=NAME`. */
export function selectionFrom(query: URLSearchParams): FakeSelection {
  const fields = query.get('fieldSelector') ?? ''
  const match = /^metadata\.name=(.+)$/.exec(fields)
  if (fields !== '' && match === null) throw badRequest(`field selector ${JSON.stringify(fields)} is not supported`)
  return { labels: labelSelectorFromText(query.get('labelSelector') ?? ''), name: match?.[1] }
}
