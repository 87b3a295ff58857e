import type * as vscode from 'vscode';
import { asNumber, asObject, asString } from '../base/json';
import type { ScrollPosition, ViewMemory } from '../contract/messages';
import type { Sessions } from '../session/sessions';

const key = 'portside.draft';

/** What the view has to find again when its page is new: kept with the session, and before there is one with the workspace. */
export class ChatMemory {
  constructor(
    private readonly sessions: Sessions,
    private readonly workspaceState: vscode.Memento,
  ) {}

  get(): ViewMemory {
    const kept = this.sessions.current?.memory;
    const draft = kept ? kept.draft : this.workspaceState.get<string>(key);
    return { draft: draft ?? '', scroll: readScroll(kept?.scroll) };
  }

  set({ draft, scroll }: ViewMemory): void {
    const session = this.sessions.current;
    if (session) session.remember({ draft, scroll });
    void this.workspaceState.update(key, session || draft === '' ? undefined : draft);
  }
}

function readScroll(value: unknown): ScrollPosition {
  const scroll = asObject(value);
  const id = asString(scroll?.['id']);
  if (scroll?.['at'] !== 'entry' || id === undefined) return { at: 'bottom' };
  const block = asNumber(scroll['block']);
  return { at: 'entry', id, offset: asNumber(scroll['offset']) ?? 0, ...(block === undefined ? {} : { block }) };
}
