import type { Api } from '../../api.ts'
import type { RequestContext } from '../../context.ts'
import type { Target } from '../../target.ts'
import { type ListReader, ListSource } from './list-source.ts'
import { RowSource } from './row-source.ts'
import type { Selection } from './selection.ts'
import { VisibleRows } from './visible-rows.ts'

/** The objects of a target for a user who lists or watches it. `plain`: stored bytes may be returned as they are. */
export function listReader(
  api: Api,
  { user, turns }: Pick<RequestContext, 'user' | 'turns'>,
  target: Target,
  selection: Selection,
  verb: 'list' | 'watch',
  plain: boolean,
): ListReader {
  const { view } = target.type
  if (view === undefined) return new ListSource(api.objects, target, selection, turns, plain)
  const rows = new VisibleRows({ authorizer: api.authorizer, user, verb, view, target, selection })
  return new RowSource(api.objects, rows, turns)
}
