/** `at` is in milliseconds after the begin of closing. */
export type ClosingStep = { at: number } & (
  { do: 'endInput' } | { do: 'signalTree'; signal: 'SIGTERM' | 'SIGKILL' } | { do: 'killTreeByTaskkill' }
);

/**
 * How a child process is ended. `quick` is for when VS Code closes: it ends the extension host after 5 s. Otherwise an
 * agent has 7 s to leave by itself after the end of its input. Windows has no polite signal.
 */
export function closingPlan(platform: NodeJS.Platform, quick: boolean): readonly ClosingStep[] {
  const patience = quick ? 2500 : 7000;
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
