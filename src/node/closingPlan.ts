/** `at` is in milliseconds after the begin of closing. */
export type ClosingStep = { at: number } & (
  { do: 'endInput' } | { do: 'signalTree'; signal: 'SIGTERM' | 'SIGKILL' } | { do: 'killTreeByTaskkill' }
);

/**
 * How long a child process has to leave by itself after the end of its input, in ms. `quick` is for when VS Code closes:
 * it ends the extension host after 5 s.
 */
const patienceOf = { patient: 7000, quick: 2500, now: 0 };

export type ClosingPace = keyof typeof patienceOf;

/** How a child process is ended. Windows has no polite signal. */
export function closingPlan(platform: NodeJS.Platform, pace: ClosingPace): readonly ClosingStep[] {
  const patience = patienceOf[pace];
  if (platform === 'win32') {
    return [
      { at: 0, do: 'endInput' },
      { at: patience, do: 'killTreeByTaskkill' },
    ];
  }
  return [
    { at: 0, do: 'endInput' },
    { at: patience, do: 'signalTree', signal: 'SIGTERM' },
    { at: patience + 1500, do: 'signalTree', signal: 'SIGKILL' },
  ];
}
