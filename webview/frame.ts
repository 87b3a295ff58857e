/** Work that is drawn at most once a frame. Gives true when it is done, false when it wants the next frame too. */
export type FrameTask = (now: number) => boolean;

const waiting = new Set<FrameTask>();
let asked = false;

/** Runs `task` in the next frame, once, however often it is asked for. */
export function nextFrame(task: FrameTask): void {
  waiting.add(task);
  if (asked) return;
  asked = true;
  requestAnimationFrame(runFrame);
}

function runFrame(now: number): void {
  asked = false;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) if (!task(now)) nextFrame(task);
}
