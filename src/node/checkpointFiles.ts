import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../base/async';
import type { Checkpoint, CheckpointList } from '../changes/ports';

/** The lists of checkpoints as one file per session, the content of which is kept by the store. */
export class CheckpointFiles implements CheckpointList {
  private readonly folder: string;
  private readonly writes = new Sequencer();

  constructor(storage: string) {
    this.folder = path.join(storage, 'sessions');
  }

  async load(session: string): Promise<readonly Checkpoint[]> {
    const text = await readFile(this.file(session), 'utf8').catch(() => '[]');
    try {
      return JSON.parse(text) as Checkpoint[];
    } catch {
      // Written by a window that broke off: what it named can no longer be told.
      return [];
    }
  }

  save(session: string, checkpoints: readonly Checkpoint[]): Promise<void> {
    return this.writes.run(async () => {
      await mkdir(this.folder, { recursive: true });
      const draft = `${this.file(session)}.${process.pid}.draft`;
      await writeFile(draft, JSON.stringify(checkpoints));
      await rename(draft, this.file(session));
    });
  }

  /** All sessions with the time (epoch ms) of their last checkpoint, the oldest first. */
  async sessions(): Promise<{ session: string; at: number }[]> {
    const names = await readdir(this.folder).catch(() => []);
    const sessions = await Promise.all(
      names
        .filter(name => name.endsWith('.json'))
        .map(async name => ({
          session: decodeURIComponent(name.slice(0, -'.json'.length)),
          at: (await stat(path.join(this.folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
        })),
    );
    return sessions.sort((a, b) => a.at - b.at);
  }

  remove(session: string): Promise<void> {
    return this.writes.run(() => rm(this.file(session), { force: true }));
  }

  private file(session: string): string {
    return path.join(this.folder, `${encodeURIComponent(session)}.json`);
  }
}
