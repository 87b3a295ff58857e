import { chmod, lstat, mkdir, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../base/errors';
import type { FileRef, RestoreTarget } from '../changes/ports';

/** Restores files on disk, byte for byte. Never writes through a link, so nothing outside of the root is touched. */
export const diskRestore: RestoreTarget = {
  async write(root: string, name: string, mode: FileRef['mode'], bytes: Uint8Array): Promise<void> {
    const file = path.join(root, name);
    await makeParents(root, name);
    const old = await lstat(file).catch(() => undefined);
    // Only empty folders are removed here: what was in it and is to go has gone before.
    if (old?.isDirectory()) await rmdir(file);
    else if (old && (mode === 'link' || !old.isFile())) await rm(file);
    if (mode === 'link') return symlink(Buffer.from(bytes), file);
    await writeFile(file, bytes);
    const now = (await lstat(file)).mode & 0o777;
    const wanted = mode === 'executable' ? now | ((now & 0o444) >> 2) : now & ~0o111;
    if (process.platform !== 'win32' && wanted !== now) await chmod(file, wanted);
  },

  async remove(root: string, name: string): Promise<void> {
    await refuseLinks(root, name);
    await rm(path.join(root, name), { force: true });
    for (let folder = path.dirname(name); folder !== '.'; folder = path.dirname(folder)) {
      const isGone = await rmdir(path.join(root, folder)).then(
        () => true,
        () => false,
      );
      if (!isGone) return;
    }
  },
};

async function makeParents(root: string, name: string): Promise<void> {
  await refuseLinks(root, name);
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
}

/** A folder of the path may have become a link since; what is behind it is not ours. */
async function refuseLinks(root: string, name: string): Promise<void> {
  for (let folder = path.dirname(name); folder !== '.'; folder = path.dirname(folder)) {
    const facts = await lstat(path.join(root, folder)).catch(() => undefined);
    if (facts?.isSymbolicLink()) throw new ExpectedError('restoreLink', `${folder} is a link now.`);
  }
}
