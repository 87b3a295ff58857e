import { constants } from 'node:fs';
import { mkdir, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../base/errors';
import { isMissing, realPathOf } from './paths';

// Plain files only: a folder, FIFO, socket or device is refused at once and never waited for. Paths are real paths
// (see `realPathOf`); a link that takes the place of one meanwhile, or of a folder on the way, is refused.

/** More than this is no text that anybody edits, and a JavaScript string of it could not be sent. */
const largest = 256 * 1024 * 1024;

const noWait = constants.O_NONBLOCK ?? 0;
const noFollow = constants.O_NOFOLLOW ?? 0;

/** The bytes of a plain file; undefined when there is none. */
export async function readPlainFile(file: string): Promise<Buffer | undefined> {
  return withPlainFile(file, constants.O_RDONLY, async handle => {
    const { size } = await handle.stat();
    if (size > largest) throw new ExpectedError('tooLarge', `The file is larger than ${largest >> 20} MB.`);
    return handle.readFile();
  });
}

/**
 * Puts the bytes into a plain file, and makes the file and its folders when they are missing. An existing file is
 * written in place: it keeps its mode, owner and hard links, and at no time is it shorter than before or after.
 */
export async function writePlainFile(file: string, bytes: Uint8Array): Promise<void> {
  const write = async (handle: FileHandle): Promise<true> => {
    let at = 0;
    while (at < bytes.length) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await handle.truncate(bytes.length);
    return true;
  };
  if (await withPlainFile(file, constants.O_WRONLY, write)) return;
  if ((await realPathOf(file)) !== file) throw movedAway();
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  await checkPlace(handle, file)
    .then(() => write(handle))
    .finally(() => handle.close());
}

/** Opens a plain file without waiting; undefined when there is none. Checked before opening, which may have effects, and after. */
async function withPlainFile<T>(
  file: string,
  flags: number,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  let handle: FileHandle;
  try {
    checkPlain(await stat(file));
    handle = await open(file, flags | noWait | noFollow);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    checkPlain(await handle.stat());
    await checkPlace(handle, file);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

function checkPlain(found: { isFile(): boolean; isDirectory(): boolean }): void {
  if (found.isFile()) return;
  throw new ExpectedError('notAFile', found.isDirectory() ? 'This is a folder.' : 'This is no plain file.');
}

/** That what was opened is what this path names without any link: while it was opened, it may have led elsewhere. */
async function checkPlace(handle: FileHandle, file: string): Promise<void> {
  const [opened, found, real] = await Promise.all([handle.stat(), stat(file), realpath(file)]);
  if (real !== file || opened.ino !== found.ino || opened.dev !== found.dev) throw movedAway();
}

function movedAway(): ExpectedError {
  return new ExpectedError('moved', 'The path leads through a link that was not there before.');
}
