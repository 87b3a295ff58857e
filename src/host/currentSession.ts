import { toDisposable, type Disposes } from '../base/lifecycle';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';

/** Follows whichever session is shown: `follow` is called for it now and for each later one; what it gives ends with it. */
export function followCurrent(sessions: Sessions, follow: (session: Session | undefined) => Disposes): Disposes {
  let current = follow(sessions.current);
  const change = sessions.onDidChangeCurrent(session => {
    current.dispose();
    current = follow(session);
  });
  return toDisposable(() => {
    change.dispose();
    current.dispose();
  });
}
