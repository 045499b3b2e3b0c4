import { generated, table } from './table.ts'

/** What a reason of a condition means, and what to do. The test beside this file looks for reasons in the program. */
export const resourceReasons: Readonly<Record<string, string>> = {
  NotApplied: 'Nothing was applied yet, or it was destroyed. Plan and apply.',
  NeverRefreshed: 'Nobody has looked at the real thing yet.',
  Progressing: 'Nothing waits for a person.',
  Applied: 'What is there is what was last applied.',
  PartiallyApplied: 'Some instances are not what they should be: `hykube instances ADDRESS` shows which. Plan again.',
  ApplyFailed: 'The provider refused or failed; the message says why. Mend it and plan again.',
  Read: 'A data source was read by a plan; `status.attributes` is what it said.',
  AsApplied: 'Nothing was seen outside that differs from what was applied.',
  ChangedOutside:
    'What was seen outside differs from what was applied; the message says where. Plan to put it right, or accept it with mode RefreshOnly.',
  Accepted: 'What had changed outside was accepted by a plan in mode RefreshOnly.',
  OutcomeUnknown: 'A call was begun and its answer lost. Look at the real thing, then `hykube resolve ADDRESS`.',
  Resolved: 'A person decided about a lost answer. Plan again.',
}

/** Reasons of a Provider's conditions besides those of [provider packages](../provider-packages.md). */
export const providerReasons: Readonly<Record<string, string>> = {
  Pending: 'It was just written, and is not installed yet.',
  Installed: 'Its package is here, checked and locked.',
  Served: 'Its kinds are served.',
  ObjectsRemain:
    'It was deleted, and waits for a plan that destroys what exists outside; the message says how much that is. Plan and apply with `-A`.',
  Failed: 'Something that has no reason of its own; the message says what.',
}

/** What the phases of a Plan mean. */
export const planPhases: Readonly<Record<string, string>> = {
  Pending: 'It was written.',
  Planning: 'It is being made.',
  Planned: 'It waits for an approval, until `expiresAfter` is over.',
  NoChanges: 'There is nothing to do, or everything there would be is blocked.',
  Approved: 'It is about to be applied.',
  Rejected: 'Somebody said no.',
  Applying: 'It is being applied; `status.progress` tells how far it is.',
  Applied: 'Everything was done.',
  PartiallyApplied: 'Some changes were done and some were not; `changes` says which, and why. Plan again.',
  Failed: 'It could not be made, or nothing of it could be done; the message says why.',
  Canceled: 'Somebody canceled it; what was running then has ended.',
  Stale: 'Everything in it was refused, because something had moved since it was made. Plan again.',
  Expired: 'Nobody approved it in time.',
}

/** What can come of one change of a plan. */
export const changeResults: Readonly<Record<string, string>> = {
  applied: 'It was done.',
  failed: 'The provider refused or failed.',
  refused: 'Something it was computed from has moved; nothing was done.',
  skipped: 'Something it waits for was not done.',
  unknown: 'The answer was lost: `hykube resolve`.',
}

/** Conditions, reasons and phases. */
export function conditionsPage(): string {
  const rows = (meanings: Readonly<Record<string, string>>) =>
    Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning])
  return [
    '# Conditions, reasons and phases',
    generated,
    '## Conditions of an object of a provider',
    table(
      ['condition', 'True means'],
      [
        ['`Ready`', 'what is there is what was last applied'],
        ['`Applied`', 'the current generation was applied'],
        ['`Drifted`', 'what is there differs from what was applied (told for each instance)'],
        ['`Stalled`', 'nothing goes on without a person'],
      ],
    ),
    '### Reasons',
    table(['reason', 'what it means, and what to do'], rows(resourceReasons)),
    '## Conditions of a Provider',
    '`Installed` and `Ready`, and `Terminating` when it was deleted. Why a package could not be installed or a provider not be asked: [provider packages](../provider-packages.md).',
    table(['reason', 'what it means'], rows(providerReasons)),
    '## Phases of a Plan',
    table(['phase', 'what it means'], rows(planPhases)),
    '## Results of a change',
    table(['result', 'what it means'], rows(changeResults)),
  ].join('\n\n')
}
