import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../base/async';
import type { Checkpoint, CheckpointList } from '../changes/ports';
import type { ReviewedFile, ReviewMemory } from '../changes/review';

const listEnding = '.checkpoints.json';
const reviewEnding = '.review.json';

/** The lists of checkpoints, and what is under review, as files of each session; the content that they name is kept by the store. */
export class CheckpointFiles implements CheckpointList, ReviewMemory {
  private readonly folder: string;
  private readonly writes = new Sequencer();

  constructor(storage: string) {
    this.folder = path.join(storage, 'sessions');
  }

  load(session: string): Promise<readonly Checkpoint[]> {
    return readList<Checkpoint>(this.file(session));
  }

  save(session: string, checkpoints: readonly Checkpoint[]): Promise<void> {
    return this.write(this.file(session), checkpoints);
  }

  loadReview(session: string): Promise<readonly ReviewedFile[]> {
    return readList<ReviewedFile>(this.file(session, reviewEnding));
  }

  saveReview(session: string, files: readonly ReviewedFile[]): Promise<void> {
    return this.write(this.file(session, reviewEnding), files);
  }

  /** All sessions with the time (epoch ms) of their last checkpoint, the oldest first. */
  async sessions(): Promise<{ session: string; at: number }[]> {
    const names = await readdir(this.folder).catch(() => []);
    const sessions = await Promise.all(
      names
        .filter(name => name.endsWith(listEnding))
        .map(async name => ({
          session: decodeURIComponent(name.slice(0, -listEnding.length)),
          at: (await stat(path.join(this.folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
        })),
    );
    return sessions.sort((a, b) => a.at - b.at);
  }

  remove(session: string): Promise<void> {
    return this.writes.run(async () => {
      await rm(this.file(session), { force: true });
      await rm(this.file(session, reviewEnding), { force: true });
    });
  }

  private file(session: string, ending = listEnding): string {
    return path.join(this.folder, `${encodeURIComponent(session)}${ending}`);
  }

  private write(file: string, list: readonly unknown[]): Promise<void> {
    return this.writes.run(async () => {
      await mkdir(this.folder, { recursive: true });
      const draft = `${file}.${process.pid}.draft`;
      await writeFile(draft, JSON.stringify(list));
      await rename(draft, file);
    });
  }
}

async function readList<T>(file: string): Promise<readonly T[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T[];
  } catch {
    // Not there yet, or written by a window that broke off: what it named can no longer be told.
    return [];
  }
}
